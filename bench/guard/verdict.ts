import { spread } from '../figures.ts'

/** How the new one stands to the old one: its cost for the same work, 1 being the same. */
export interface Comparison {
  readonly median: number
  /** With 99 % certainty the true median is not below. */
  readonly atLeast: number
  readonly atMost: number
  readonly pairs: number
}

/**
 * Compares costs that were taken in pairs, one right after the other. What slows the machine slows
 * both of a pair, or falls on either with the same chance; so the median of the ratios does not move
 * with it, and the ranks around the middle bound it whatever the noise is distributed like.
 */
export function compare(
  pairs: readonly { readonly old: number; readonly now: number }[],
): Comparison {
  const ratios = pairs.map(({ old, now }) => now / old).toSorted((a, b) => a - b)
  const count = ratios.length
  // Of the binomial distribution with an even chance: the middle, less 2.58 standard deviations.
  const rank = Math.max(0, Math.floor(count / 2 - (2.58 * Math.sqrt(count)) / 2))
  return {
    median: spread(ratios).median,
    atLeast: ratios[rank] ?? 0,
    atMost: ratios[count - 1 - rank] ?? Infinity,
    pairs: count,
  }
}

/** Whether it has become slower by more than the margin, beyond doubt. */
export function isSlower({ atLeast }: Comparison, margin: number): boolean {
  return atLeast > 1 + margin
}
