import type { Random } from '../../../src/core/ports/random.ts'

/** The randomness of the runtime (Web Cryptography). */
export const systemRandom: Random = {
  bytes: (count) => crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
}

/** Octets of an idempotency key: enough to exclude a repetition by chance. */
const keyBytes = 16

/** Returns a new idempotency key. */
export function newIdempotencyKey(random: Random): string {
  return [...random.bytes(keyBytes)].map((octet) => octet.toString(16).padStart(2, '0')).join('')
}
