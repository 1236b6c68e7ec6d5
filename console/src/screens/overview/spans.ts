/** A time that the overview shows, in bars of equal length. */
export interface Span {
  readonly id: 'hour' | 'day' | 'week'
  readonly title: string
  readonly resolution: 'MINUTE' | 'HOUR'
  readonly bars: number
  readonly barSeconds: number
  readonly barText: string
  /** How often the counts are read while they are shown. */
  readonly pollMs: number
}

const hour: Span = {
  id: 'hour',
  title: 'Last hour',
  resolution: 'MINUTE',
  bars: 60,
  barSeconds: 60,
  barText: 'each bar: 1 minute',
  pollMs: 5000,
}

/** The times to choose from, the usual one first. */
export const spans: readonly Span[] = [
  hour,
  {
    id: 'day',
    title: 'Last day',
    resolution: 'HOUR',
    bars: 24,
    barSeconds: 3600,
    barText: 'each bar: 1 hour',
    pollMs: 30_000,
  },
  {
    id: 'week',
    title: 'Last 7 days',
    resolution: 'HOUR',
    bars: 42,
    barSeconds: 14_400,
    barText: 'each bar: 4 hours',
    pollMs: 60_000,
  },
]

/** Returns the span of an address; the usual one if it names none. */
export function spanOf(id: unknown): Span {
  return spans.find((one) => one.id === id) ?? hour
}

/** Returns when the first bar of a span begins, in seconds. The last bar contains now. */
export function startOf({ bars, barSeconds }: Span, nowMs: number): number {
  return (Math.floor(nowMs / 1000 / barSeconds) - bars + 1) * barSeconds
}
