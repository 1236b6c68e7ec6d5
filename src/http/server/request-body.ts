import type { IncomingMessage } from 'node:http'
import type { AccountId } from '../../core/account.ts'
import { Problem } from '../../core/problem.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { BytesInFlight, HeldBytes } from './bytes-in-flight.ts'

/** The body of a request over a connection. */
export interface RequestBody {
  /**
   * Receives the whole body of a request of an account; null: of a request without a key. Throws a
   * `Problem` if it is too large or too slow, if too much is in flight, or if the connection ends
   * before it.
   */
  receive(account: AccountId | null): MaybePromise<Uint8Array>
  /** Discards the body, that which was received and that which still comes. */
  discard(): void
  /** Refuses the body if fewer octets came since the last call than a client must send by then. */
  checkRate(bytesMin: number): void
}

/** Returns true if a body follows the head of a request (RFC 9112 section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

/** Octets that are received before the body is asked for; then its connection waits. */
const unaskedBytesMax = 16_384

/** The least that is allocated for a body of several chunks. */
const bufferBytesMin = 4096

/** A body that takes no more room is not counted: it costs less than its connection. */
const uncountedBytesMax = 4096

/**
 * Receives the chunks of a body as they come. Calls `demand` if the body is asked for before it has
 * come whole.
 */
export function requestBody(
  request: IncomingMessage,
  bytesMax: number,
  demand: () => void,
  inFlight: BytesInFlight,
): RequestBody {
  const octets = octetBuffer(bytesMax)
  const [room, outcome] = [countedRoom(octets, inFlight), settledOnce()]

  const discard = (): void => {
    if (request.readableEnded) return
    request.off('data', take)
    request.resume()
  }
  const refuse = (problem: Problem): void => {
    discard()
    room.release()
    outcome.settle(problem)
  }
  const take = (chunk: Uint8Array): void => {
    if (!octets.add(chunk)) refuse(tooLarge(bytesMax))
    else if (outcome.isAwaited()) room.count(refuse)
    else if (octets.count() >= unaskedBytesMax) request.pause()
  }
  const close = (): void => {
    room.release()
    // Every request closes, most of them after their end: a problem would cost each its stack trace.
    if (!outcome.isSettled()) outcome.settle(lost())
  }

  if (Number(request.headers['content-length'] ?? 0) > bytesMax) refuse(tooLarge(bytesMax))
  else request.on('data', take)
  request.on('end', () => outcome.settle(octets.all()))
  request.on('error', close)
  // It also occurs after the response: until then, what is made of the body is in use.
  request.on('close', close)
  const receive = (account: AccountId | null): MaybePromise<Uint8Array> => {
    const found = outcome.known()
    if (found !== null) return found
    demand()
    request.resume()
    room.belongTo(account)
    const received = outcome.wait()
    room.count(refuse)
    return received
  }
  const isSlow = paceOf(octets)
  const checkRate = (bytesMin: number): void => {
    if (outcome.isAwaited() && isSlow(bytesMin)) refuse(tooSlow())
  }
  return { discard, receive, checkRate }
}

/** Tells at each call whether fewer octets came since the one before. */
function paceOf(octets: OctetBuffer): (bytesMin: number) => boolean {
  let before = 0
  return (bytesMin) => {
    const came = octets.count() - before
    before += came
    return came < bytesMin
  }
}

/** Makes the outcome of a body, which is settled once and awaited at most once. */
function settledOnce() {
  let outcome: Uint8Array | Problem | null = null
  let notify: ((outcome: Uint8Array | Problem) => void) | null = null
  return {
    /** Throws if the body was refused. */
    known: (): Uint8Array | null => {
      if (outcome instanceof Problem) throw outcome
      return outcome
    },
    isSettled: (): boolean => outcome !== null,
    isAwaited: (): boolean => notify !== null && outcome === null,
    settle: (found: Uint8Array | Problem): void => {
      if (outcome !== null) return
      outcome = found
      notify?.(found)
    },
    wait: (): Promise<Uint8Array> =>
      new Promise((resolve, reject) => {
        notify = (found) => (found instanceof Problem ? reject(found) : resolve(found))
      }),
  }
}

/** Counts the room of a buffer among the octets in flight, as it grows. */
function countedRoom(octets: OctetBuffer, inFlight: BytesInFlight) {
  let owner: AccountId | null = null
  let held: HeldBytes | null = null
  let counted = 0
  return {
    belongTo: (account: AccountId | null): void => {
      owner = account
    },
    count: (refuse: (problem: Problem) => void): void => {
      const room = octets.room()
      if (room === counted || room <= uncountedBytesMax) return
      held ??= inFlight.hold(owner)
      try {
        held.add(room - counted)
        counted = room
      } catch (error) {
        if (!(error instanceof Problem)) throw error
        refuse(error)
      }
    },
    release: (): void => held?.release(),
  }
}

function lost(): Problem {
  return new Problem('invalid-request', 'The connection ended in the body.')
}

function tooLarge(bytesMax: number): Problem {
  return new Problem('content-too-large', `The body has more than ${bytesMax} octets.`)
}

function tooSlow(): Problem {
  return new Problem('request-timeout', 'The body arrives too slowly.')
}

/** Octets in one growing buffer. */
interface OctetBuffer {
  /** Adds a chunk; returns false if there would be too many octets. */
  add(chunk: Uint8Array): boolean
  count(): number
  /** Returns the octets that the buffer occupies. */
  room(): number
  all(): Uint8Array
}

/**
 * Makes a buffer into which chunks are copied: a list of chunks costs a client one octet for each, and
 * the service a hundred.
 */
function octetBuffer(bytesMax: number): OctetBuffer {
  let buffer: Uint8Array = new Uint8Array()
  let bytes = 0
  return {
    add: (chunk) => {
      const after = bytes + chunk.length
      if (after > bytesMax) return false
      // Most bodies come in one piece, which is not copied.
      if (bytes === 0) buffer = chunk
      else {
        if (after > buffer.length) buffer = grown(buffer, after, bytesMax)
        buffer.set(chunk, bytes)
      }
      bytes = after
      return true
    },
    count: () => bytes,
    room: () => buffer.length,
    all: () => buffer.subarray(0, bytes),
  }
}

/** Returns a buffer with the octets of another and room for more. */
function grown(buffer: Uint8Array, bytesNeeded: number, bytesMax: number): Uint8Array {
  const size = Math.min(Math.max(2 * bytesNeeded, bufferBytesMin), bytesMax)
  // Filled with zeros first, memory would be used before octets have come.
  const larger = Buffer.allocUnsafeSlow(size)
  larger.set(buffer)
  return larger
}
