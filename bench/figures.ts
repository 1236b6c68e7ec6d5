/** The middle of some numbers, the lowest and the highest. */
export interface Spread {
  readonly low: number
  readonly median: number
  readonly high: number
}

/** Summarises numbers. */
export function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return { low: sorted[0] ?? 0, median, high: sorted.at(-1) ?? 0 }
}

/** A number with so many digits as say something. */
export function figure(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}
