import type { Series } from '../../ui/chart.tsx'
import { startOf, type Span } from './spans.ts'

/** A count of the service: how many messages entered a status within a period. */
export interface Counted {
  readonly date: string
  readonly status: string
  readonly messages: number
}

/** A series with its sum, and the status that it counts. */
export interface CountedSeries extends Series {
  readonly total: number
  readonly status: string
}

/** Messages by time and status. */
export interface Bins {
  readonly times: readonly number[]
  /** The statuses that end the way of a message: each message is in one of them. */
  readonly series: readonly CountedSeries[]
  readonly accepted: number
  /** Accepted messages that have not ended, as far as the counts tell: ends of older messages reduce it. */
  readonly onTheWay: number
  /** Messages accepted per second, in the last period that has ended. */
  readonly acceptedPerSecond: number
}

const ends = [
  ['Delivered', '--good', 'DELIVERED'],
  ['Failed', '--bad', 'FAILED'],
  ['Unknown', '--warn', 'UNKNOWN'],
  ['Cancelled', '--line-strong', 'CANCELLED'],
  ['Received', '--accent', 'RECEIVED'],
] as const

/** Sums counts by bar and status. */
export function binCounts(counts: readonly Counted[], span: Span, nowMs: number): Bins {
  const start = startOf(span, nowMs)
  const valuesOf = (status: string): number[] => {
    const values = Array.from({ length: span.bars }, () => 0)
    for (const count of counts) {
      if (count.status !== status) continue
      const bar = Math.floor((Date.parse(count.date) / 1000 - start) / span.barSeconds)
      if (bar >= 0 && bar < span.bars) values[bar] = (values[bar] ?? 0) + count.messages
    }
    return values
  }
  const accepted = valuesOf('ACCEPTED')
  const series = ends.map(([label, colour, status]) => {
    const values = valuesOf(status)
    return { label, colour, status, values, total: sum(values) }
  })
  const ended = series.filter(({ status }) => status !== 'RECEIVED').map(({ total }) => total)
  return {
    times: Array.from({ length: span.bars }, (_, bar) => start + bar * span.barSeconds),
    series,
    accepted: sum(accepted),
    onTheWay: Math.max(0, sum(accepted) - sum(ended)),
    acceptedPerSecond: (accepted.at(-2) ?? 0) / span.barSeconds,
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, one) => total + one, 0)
}
