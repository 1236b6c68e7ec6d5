import { randomFillSync } from 'node:crypto'

/** Randomness, passed in so that a test can repeat it. */
export interface Random {
  /** `count` random octets, fit for secrets. */
  bytes(count: number): Uint8Array
  /** A number from 0 up to, not including, 1: for jitter and weights, never for secrets. */
  fraction(): number
}

const poolBytes = 4096
const pool = new Uint8Array(poolBytes)
let used = poolBytes

/** The randomness of the machine. Octets are drawn in pools: one system call serves many ids. */
export const systemRandom: Random = {
  bytes: (count) => {
    if (count > poolBytes) return randomFillSync(new Uint8Array(count))
    if (used + count > poolBytes) {
      randomFillSync(pool)
      used = 0
    }
    used += count
    const drawn = pool.slice(used - count, used)
    pool.fill(0, used - count, used)
    return drawn
  },
  fraction: () => Math.random(),
}
