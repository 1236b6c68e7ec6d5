import { hash } from 'node:crypto'
import type { Random } from '../ports/random.ts'

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
