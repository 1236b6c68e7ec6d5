import { hash } from 'node:crypto'
import type { Random } from './ports/random.ts'

/** Octets of a secret that cannot be guessed. */
const secretBytes = 32

/** Makes the secret of a key, which is the whole bearer token: `nuncio_<key id>_<random>`. */
export function newKeySecret(keyId: string, random: Random): string {
  return `nuncio_${keyId}_${Buffer.from(random.bytes(secretBytes)).toString('base64url')}`
}

/** Makes the secret of a session's cookie. */
export function newCookieSecret(random: Random): string {
  return Buffer.from(random.bytes(secretBytes)).toString('base64url')
}

/**
 * The digest by which the store knows the secret of a key or a cookie: SHA-256 in base64url. A secret of
 * 256 random bits needs no salt and no stretching.
 */
export function keyDigest(secret: string): string {
  return hash('sha256', secret, 'base64url')
}

/** Characters that a secret of a callback has at least. */
const lengthMin = 8

/** Different characters or octets below which a secret of any length can be guessed. */
const distinctMin = 4

/** Returns the rule that a secret which others present breaks; null if it is hard enough to guess. */
export function weaknessOf(secret: string): string | null {
  if (secret.length < lengthMin) return `must have at least ${lengthMin} characters`
  return isMonotonous(secret) ? `must have at least ${distinctMin} different characters` : null
}

/** Returns true if a secret hardly has different characters, or octets. */
export function isMonotonous(secret: Iterable<string | number>): boolean {
  return new Set(secret).size < distinctMin
}
