import { timingSafeEqual, verify as verifyEd25519 } from 'node:crypto'
import { fromBase64 } from './base64.ts'
import { readHeader, type HeaderSource } from './headers.ts'
import type { VerifyingKey } from './key.ts'
import { Refusal } from './refusal.ts'
import { sign, signedBytes, type SignedContent } from './sign.ts'

/** What the signature vouches for besides the body. */
export interface Delivery {
  /** The `webhook-id`: the same each time the same array is sent. */
  readonly webhookId: string
  /** When it was signed, in whole seconds since 1970. */
  readonly timestamp: number
}

/**
 * The moment to verify at, and by how much the sender's clock may differ from it, in both
 * directions.
 */
export interface VerifyTime {
  readonly nowMs: number
  readonly toleranceSeconds: number
}

/** More signatures than any rotation of secrets needs; each costs the receiver work. */
const signaturesMax = 16

const encoder = new TextEncoder()

/**
 * Accepts a request that one of `keys` has signed at about `nowMs` (Standard Webhooks, "Verifying
 * signatures"). Throws a Refusal with status 401 for any other.
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

/**
 * Takes the same time wherever the two differ, so that a signature cannot be guessed byte by byte.
 */
function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}

/**
 * A shared secret cannot verify `v1a`, nor a public key `v1`: the most helpful thing to know of a
 * mismatch.
 */
function schemesOf(keys: readonly VerifyingKey[], signatures: readonly string[]): string {
  const offered = new Set(
    signatures.map((signature) => /^v1a?(?=,)/.exec(signature)?.[0] ?? 'unknown'),
  )
  const verifiable = new Set(keys.map((key) => (key.kind === 'secret' ? 'v1' : 'v1a')))
  const [from, to] = [offered, verifiable].map((schemes) => [...schemes].join(', '))
  return `Signed by ${from}; the receiver's keys verify ${to}.`
}
