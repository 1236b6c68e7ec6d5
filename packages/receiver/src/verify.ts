import { timingSafeEqual, verify as verifyEd25519 } from 'node:crypto'
import { fromBase64 } from './base64.ts'
import { readHeader, type HeaderSource } from './headers.ts'
import type { VerifyingKey } from './key.ts'
import { Refusal } from './refusal.ts'
import { sign, signedBytes, type SignedContent } from './sign.ts'

/** The signed content besides the body. */
export interface Delivery {
  /** The `webhook-id`: the same for each attempt of the same array. */
  readonly webhookId: string
  /** The time of signing, in whole seconds since 1970. */
  readonly timestamp: number
}

/** The time of verification, and the tolerance of the sender's clock in both directions. */
export interface VerifyTime {
  readonly nowMs: number
  readonly toleranceSeconds: number
}

/** The limit of signatures: more than a rotation of secrets needs, since each costs work. */
const signaturesMax = 16

const encoder = new TextEncoder()

/**
 * Verifies that one of `keys` signed the request at about `nowMs` (Standard Webhooks, "Verifying
 * signatures"). Throws a Refusal with status 401 otherwise.
 */
export function verify(
  keys: readonly VerifyingKey[],
  headers: HeaderSource,
  body: Uint8Array | string,
  time: VerifyTime,
): Delivery {
  const id = readId(headers)
  const timestamp = readTimestamp(headers, time)
  const signatures = readSignatures(headers)

  const content = { id, timestamp, body }
  if (!keys.some((key) => hasSigned(key, content, signatures))) {
    throw new Refusal(
      401,
      'No signature matches. Check that the secret is the one of this very webhook, and that ' +
        `nothing between the sender and here changes the body. ${schemesOf(keys, signatures)}`,
    )
  }
  return { webhookId: id, timestamp }
}

function readId(headers: HeaderSource): string {
  const id = required(headers, 'webhook-id')
  if (!id.includes('.')) return id
  throw new Refusal(
    401,
    'The webhook-id must not have a full stop, which separates the signed parts.',
  )
}

function readTimestamp(headers: HeaderSource, { nowMs, toleranceSeconds }: VerifyTime): number {
  const text = required(headers, 'webhook-timestamp')
  if (!/^(0|[1-9]\d{0,10})$/.test(text)) {
    throw new Refusal(
      401,
      'The webhook-timestamp must be whole seconds since 1970, in digits alone.',
    )
  }

  const timestamp = Number(text)
  const aheadSeconds = timestamp - Math.floor(nowMs / 1000)
  if (Math.abs(aheadSeconds) <= toleranceSeconds) return timestamp

  const difference = `${Math.abs(aheadSeconds)} s ${aheadSeconds > 0 ? 'ahead of' : 'behind'}`
  throw new Refusal(
    401,
    `The webhook-timestamp is ${difference} the receiver's clock, and ${toleranceSeconds} s are ` +
      'allowed. Set both clocks by NTP.',
  )
}

function readSignatures(headers: HeaderSource): readonly string[] {
  const signatures = required(headers, 'webhook-signature').split(' ')
  if (signatures.length <= signaturesMax) return signatures
  throw new Refusal(401, `The webhook-signature has more than ${signaturesMax} signatures.`)
}

function required(headers: HeaderSource, name: string): string {
  const value = readHeader(headers, name)
  if (value !== undefined && value !== '') return value
  throw new Refusal(
    401,
    `The header ${name} is missing. Requests must be signed after Standard Webhooks.`,
  )
}

function hasSigned(
  key: VerifyingKey,
  content: SignedContent,
  signatures: readonly string[],
): boolean {
  if (key.kind === 'secret') {
    const expected = encoder.encode(sign(key, content))
    return signatures.some((signature) => sameBytes(expected, encoder.encode(signature)))
  }

  const signed = signedBytes(`${content.id}.${content.timestamp}.`, content.body)
  return signatures.some((signature) => {
    const bytes = signature.startsWith('v1a,') ? fromBase64(signature.slice(4)) : null
    return bytes !== null && verifyEd25519(null, signed, key.material, bytes)
  })
}

/** Compares in constant time, so that an attacker cannot guess a signature byte by byte. */
function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * Returns a hint if no key fits the kind of signature: a shared secret cannot verify `v1a`, nor a
 * public key `v1`.
 */
function schemesOf(keys: readonly VerifyingKey[], signatures: readonly string[]): string {
  const offered = new Set(
    signatures.map((signature) => /^v1a?(?=,)/.exec(signature)?.[0] ?? 'unknown'),
  )
  const verifiable = new Set(keys.map((key) => (key.kind === 'secret' ? 'v1' : 'v1a')))
  const [from, to] = [offered, verifiable].map((schemes) => [...schemes].join(', '))
  return `Signed by ${from}; the receiver's keys verify ${to}.`
}
