import { createHmac, sign as signEd25519 } from 'node:crypto'
import { toBase64 } from './base64.ts'
import { joinBytes } from './join-bytes.ts'
import type { SigningKey } from './key.ts'

/** The signed content (Standard Webhooks, "Signature scheme"): `id.timestamp.body`. */
export interface SignedContent {
  /** The `webhook-id`; without a full stop. */
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly body: Uint8Array | string
}

const encoder = new TextEncoder()

/** In seconds, the year 5138: a larger number means milliseconds. */
const timestampMax = 99_999_999_999

/**
 * Returns one entry of `webhook-signature`: `v1,…` for a secret, `v1a,…` for a private key. Throws
 * RangeError for an id or a timestamp that makes the signed text ambiguous.
 */
export function sign(key: SigningKey, content: SignedContent): string {
  const { id, timestamp, body } = content
  if (id === '' || id.includes('.')) {
    throw new RangeError(
      'A webhook-id is not empty and has no full stop, which separates the signed parts.',
    )
  }
  if (!Number.isInteger(timestamp) || timestamp < 0 || timestamp > timestampMax) {
    throw new RangeError(`A webhook-timestamp is in whole seconds since 1970; got ${timestamp}.`)
  }

  const head = `${id}.${timestamp}.`
  return key.kind === 'secret'
    ? `v1,${createHmac('sha256', key.material).update(head).update(body).digest('base64')}`
    : `v1a,${toBase64(signEd25519(null, signedBytes(head, body), key.material))}`
}

/** Joins `head` and `body` for ed25519, which cannot sign in steps. */
export function signedBytes(head: string, body: Uint8Array | string): Uint8Array {
  const rest = typeof body === 'string' ? encoder.encode(body) : body
  return joinBytes([encoder.encode(head), rest])
}
