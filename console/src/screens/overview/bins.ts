import type { Series } from '../../ui/chart.tsx'

/** A message as far as the chart needs it. */
interface Counted {
  readonly createdAt: string
  readonly status: { readonly type: string }
}

/** A series with its sum, and the statuses that it counts. */
export interface CountedSeries extends Series {
  readonly total: number
  readonly status: string[]
}

/** Messages by time and status. */
export interface Bins {
  readonly times: readonly number[]
  readonly series: readonly CountedSeries[]
  /** The time that one bar covers. */
  readonly stepText: string
}

const groups = [
  ['Delivered', '--good', ['DELIVERED']],
  ['Failed', '--bad', ['FAILED']],
  ['In progress', '--calm', ['SCHEDULED', 'ACCEPTED', 'SENT']],
  ['Unknown', '--warn', ['UNKNOWN']],
  ['Received', '--accent', ['RECEIVED']],
  ['Cancelled', '--line-strong', ['CANCELLED']],
] as const

/** Spans of one bar that people read easily. */
const steps = [
  [10, 'each bar: 10 seconds'],
  [60, 'each bar: 1 minute'],
  [300, 'each bar: 5 minutes'],
  [1800, 'each bar: 30 minutes'],
  [3600, 'each bar: 1 hour'],
  [21_600, 'each bar: 6 hours'],
  [86_400, 'each bar: 1 day'],
  [604_800, 'each bar: 1 week'],
] as const

/** More bars are too narrow on a phone. */
const barsMax = 48

/** Counts messages by time and status. */
export function binMessages(messages: readonly Counted[]): Bins {
  const seconds = messages.map(({ createdAt }) => Date.parse(createdAt) / 1000)
  const first = seconds.reduce((least, one) => Math.min(least, one), Infinity)
  const last = seconds.reduce((most, one) => Math.max(most, one), 0)
  const [step, stepText] =
    steps.find(([size]) => (last - first) / size < barsMax - 1) ??
    ([604_800, 'each bar: 1 week'] as const)
  // The last bar is that of the newest message; a short history leaves the first ones empty.
  const start = (Math.floor(last / step) - barsMax + 1) * step
  const times = Array.from({ length: barsMax }, (_, index) => start + index * step)
  const series = groups.map(([label, colour, statuses]): CountedSeries => {
    const values = times.map(() => 0)
    messages.forEach(({ status }, index) => {
      if (!statuses.some((one) => one === status.type)) return
      const bin = Math.floor(((seconds[index] ?? 0) - start) / step)
      values[bin] = (values[bin] ?? 0) + 1
    })
    const total = values.reduce((sum, one) => sum + one, 0)
    return { label, colour, values, total, status: [...statuses] }
  })
  return { times, series: series.filter(({ total }) => total > 0), stepText }
}
