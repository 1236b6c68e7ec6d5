import type { Random } from '../../../src/core/ports/random.ts'

/** Choices that a seed repeats. */
export interface Dice {
  /** A whole number from 0 up to, not including, `sides`. */
  roll(sides: number): number
  /** One of the items. */
  pick<T>(items: readonly T[]): T
  /** True about once in `times`. */
  once(times: number): boolean
  /** Up to `most` things, made one after the other. */
  some<T>(most: number, make: () => T): readonly T[]
}

/** Makes dice of a source of randomness. */
export function dice({ fraction }: Random): Dice {
  const roll = (sides: number): number => Math.floor(fraction() * sides)
  return {
    roll,
    pick: (items) => {
      const item = items[roll(items.length)]
      if (item === undefined && items.length === 0) throw new Error('there is nothing to pick')
      return item as (typeof items)[number]
    },
    once: (times) => roll(times) === 0,
    some: (most, make) => Array.from({ length: roll(most + 1) }, make),
  }
}
