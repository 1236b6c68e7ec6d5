import type { Random } from '../../src/core/ports/random.ts'

/** Randomness that a seed repeats (the generator is mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const fraction = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    fraction,
    bytes: (count) => {
      const drawn = new Uint8Array(count)
      for (let at = 0; at < count; at += 1) drawn[at] = Math.floor(fraction() * 256)
      return drawn
    },
  }
}
