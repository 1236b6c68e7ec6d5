import type { Clock, Instant } from './ports/clock.ts'
import type { Random } from './ports/random.ts'

/** Makes the next identifier with the given prefix, such as `message_01h455vb4pex5vsknk084sn02q`. */
export type NewId = (prefix: string) => string

/** Crockford's base 32 in lower case, the alphabet of TypeID. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** Identifiers that a client may choose. */
const chosenForm = /^[A-Za-z0-9_.~-]{1,64}$/

/**
 * Makes a generator of TypeIDs (TypeID 0.3: a prefix and a UUIDv7, RFC 9562 section 5.7, in base 32).
 * Ids of one generator grow strictly, even within a millisecond and when the wall clock goes back,
 * so that their order is the order in which they were made.
 */
export function typeIds(clock: Clock, random: Random): NewId {
  let lastMs = 0
  let counter = 0
  let tails: Uint8Array = nothing
  let used = 0
  return (prefix) => {
    const now = clock.now()
    if (now > lastMs) {
      lastMs = now
      counter = seed(random)
    } else if (counter === counterMax) {
      lastMs += 1
      counter = seed(random)
    } else {
      counter += 1
    }
    if (used === tails.length) {
      tails = random.bytes(drawnAtOnce * tailBytes)
      used = 0
    }
    used += tailBytes
    return encode(prefix, lastMs, counter, tails, used - tailBytes)
  }
}

/** Returns true if a client may use this text as an identifier: 1 to 64 unreserved characters. */
export function isChosenId(text: string): boolean {
  return chosenForm.test(text) && text !== '.' && text !== '..'
}

/**
 * Returns the first part of all identifiers with a prefix that are created at this time; later ones
 * are greater.
 */
export function firstIdAt(prefix: string, at: Instant): string {
  return encode(prefix, at, 0, nothing, 0).slice(0, prefix.length + 1 + timeDigits)
}

/**
 * Returns the identifier that a time and eight octets determine: the same ones give the same identifier,
 * and a later time a greater one.
 */
export function idOf(prefix: string, at: Instant, octets: Uint8Array): string {
  return encode(prefix, at, 0, octets, 0)
}

const nothing = new Uint8Array(0)

/** The digits of the time: 48 bits and the two that are zero. */
const timeDigits = 10

/** The 12 bits after the milliseconds count within a millisecond (RFC 9562 section 6.2, method 1). */
const counterMax = 0xfff

/** Leaves the upper half of the counter free to count in. */
function seed(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2)
  return ((high << 8) | low) & 0x7ff
}

/** Random octets of an identifier, and the number of identifiers per draw. */
const tailBytes = 8
const drawnAtOnce = 32

/** Shared buffer: identifiers are built one at a time. */
const octets = new Uint8Array(16)
const characters: number[] = []
const codes = Array.from(alphabet, (digit) => digit.charCodeAt(0))

/** The prefix, and 48 bits of time, version 7, 12 bits of counter, variant 2, 62 random bits, in 26 characters. */
function encode(
  prefix: string,
  ms: number,
  counter: number,
  tails: Uint8Array,
  from: number,
): string {
  let rest = ms
  for (let index = 5; index >= 0; index -= 1) {
    octets[index] = rest % 256
    rest = Math.floor(rest / 256)
  }
  octets[6] = 0x70 | (counter >> 8)
  octets[7] = counter & 0xff
  for (let index = 0; index < tailBytes; index += 1) {
    octets[8 + index] = tails[from + index] ?? 0
  }
  octets[8] = 0x80 | ((octets[8] ?? 0) & 0x3f)
  return written(prefix)
}

/**
 * The prefix, and the octets as 26 digits of 5 bits: two zero bits are put in front. In one piece: a text
 * that is put together from others is a chain of them until somebody reads it.
 */
function written(prefix: string): string {
  characters.length = 0
  for (let index = 0; index < prefix.length; index += 1) characters.push(prefix.charCodeAt(index))
  characters.push(underscore)
  let buffer = 0
  let bits = 2
  for (const octet of octets) {
    buffer = (buffer << 8) | octet
    bits += 8
    while (bits >= 5) {
      bits -= 5
      characters.push(codes[(buffer >> bits) & 31] ?? 0)
    }
    buffer &= (1 << bits) - 1
  }
  return String.fromCharCode(...characters)
}

const underscore = 0x5f
