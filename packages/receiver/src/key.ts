import { createPrivateKey, createPublicKey, createSecretKey, type KeyObject } from 'node:crypto'
import { fromBase64, toBase64 } from './base64.ts'
import { joinBytes } from './join-bytes.ts'

/** A shared secret, `whsec_…`: signs and verifies `v1` (HMAC-SHA256). */
export interface SecretKey {
  readonly kind: 'secret'
  readonly material: KeyObject
}

/** The sender's half of an ed25519 pair, `whsk_…`: signs `v1a`. */
export interface PrivateKey {
  readonly kind: 'private'
  readonly material: KeyObject
}

/** The receiver's half of an ed25519 pair, `whpk_…`: verifies `v1a`. */
export interface PublicKey {
  readonly kind: 'public'
  readonly material: KeyObject
}

/** A key for `sign`. */
export type SigningKey = SecretKey | PrivateKey
/** A key for `verify`. */
export type VerifyingKey = SecretKey | PublicKey

/** Bounds of a shared secret in bytes (Standard Webhooks, "Signature scheme"). */
const secretBytesMin = 24
const secretBytesMax = 64

const seedBytes = 32

/** The bytes before an ed25519 key of 32 bytes in PKCS 8 and in SPKI (RFC 8410). */
const privateKeyPrefix = fromHex('302e020100300506032b657004220420')
const publicKeyPrefix = fromHex('302a300506032b6570032100')

/** Decodes `whsec_…` once, so that signing does not. Throws TypeError for any other form. */
export function secretKey(text: string): SecretKey {
  return { kind: 'secret', material: createSecretKey(checkSecret(decode(text, 'whsec_'))) }
}

/**
 * Decodes `whsk_…`: a 32-byte seed, or seed and public key in 64 bytes. Throws TypeError for any
 * other form.
 */
export function privateKey(text: string): PrivateKey {
  const bytes = decode(text, 'whsk_')
  if (bytes.length !== seedBytes && bytes.length !== 2 * seedBytes) {
    throw new TypeError(`A whsk_ key holds 32 or 64 bytes; this one holds ${bytes.length}.`)
  }

  const material = privateFromSeed(bytes.subarray(0, seedBytes))
  const publicHalf = toBase64(bytes.subarray(seedBytes))
  if (publicHalf !== '' && publicHalf !== toBase64(publicBytes(material))) {
    throw new TypeError('The public half of this whsk_ key does not belong to its private half.')
  }
  return { kind: 'private', material }
}

/** Decodes `whpk_…`, 32 bytes. Throws TypeError for any other form. */
export function publicKey(text: string): PublicKey {
  const bytes = decode(text, 'whpk_')
  if (bytes.length !== seedBytes) {
    throw new TypeError(`A whpk_ key holds 32 bytes; this one holds ${bytes.length}.`)
  }
  return { kind: 'public', material: publicFromBytes(bytes) }
}

/** Decodes the secret of a receiver, `whsec_…` or `whpk_…`. Throws TypeError for any other form. */
export function verifyingKey(text: string): VerifyingKey {
  return text.startsWith('whpk_') ? publicKey(text) : secretKey(text)
}

/** Returns the text `whsec_…` of 24 to 64 random bytes. Throws TypeError for fewer or more. */
export function secretFrom(bytes: Uint8Array): string {
  return `whsec_${toBase64(checkSecret(bytes))}`
}

/** Returns the texts of the ed25519 pair of 32 random bytes. Throws TypeError for another length. */
export function keyPairFrom(seed: Uint8Array): { privateKey: string; publicKey: string } {
  if (seed.length !== seedBytes) {
    throw new TypeError(`An ed25519 seed is 32 bytes; these are ${seed.length}.`)
  }

  const open = publicBytes(privateFromSeed(seed))
  const whole = joinBytes([seed, open])
  return { privateKey: `whsk_${toBase64(whole)}`, publicKey: `whpk_${toBase64(open)}` }
}

function checkSecret(bytes: Uint8Array): Uint8Array {
  if (bytes.length >= secretBytesMin && bytes.length <= secretBytesMax) return bytes
  throw new TypeError(`A webhook secret is 24 to 64 bytes; this one is ${bytes.length}.`)
}

/** Returns an error that names the expected form and never the key: errors are logged. */
function decode(text: string, prefix: string): Uint8Array {
  if (!text.startsWith(prefix)) {
    throw new TypeError(`The key must begin with ${prefix}: copy it as the service showed it.`)
  }

  const bytes = fromBase64(text.slice(prefix.length))
  if (bytes === null) throw new TypeError(`What follows ${prefix} must be standard Base64.`)
  return bytes
}

function privateFromSeed(seed: Uint8Array): KeyObject {
  const key = joinBytes([privateKeyPrefix, seed])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

function publicFromBytes(bytes: Uint8Array): KeyObject {
  const key = joinBytes([publicKeyPrefix, bytes])
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

function publicBytes(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return der.subarray(publicKeyPrefix.length)
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
