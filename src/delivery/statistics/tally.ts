import type { Resolution } from '../../collections/derived/statistics.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { microsPerCredit } from '../../collections/credits/credit-amounts.ts'
import type { NewNotification } from '../../core/ports/notification-log.ts'

/** The messages that entered a status within a period, by carrier. */
export interface Tally {
  /** When the period began. */
  readonly date: Instant
  readonly resolution: Resolution
  readonly status: string
  readonly carrier: string | null
  readonly messages: number
  readonly parts: number
  /** Costs in millionths of a credit. */
  readonly micros: number
}

/** The length of each period, in milliseconds. */
const periodMs: Readonly<Record<Resolution, number>> = { MINUTE: 60_000, HOUR: 3_600_000 }

/** Counts entries of one account's log, by minute and by hour. */
export function tally(entries: readonly NewNotification[]): readonly Tally[] {
  const minutes = new Map<string, Tally>()
  for (const entry of entries) add(minutes, counted(entry))
  const hours = new Map<string, Tally>()
  for (const minute of minutes.values()) {
    add(hours, { ...minute, resolution: 'HOUR', date: beginOf('HOUR', minute.date) })
  }
  return [...minutes.values(), ...hours.values()]
}

function counted({ at, status, record, carrier }: NewNotification): Tally {
  const { numberOfParts, creditCost }: Counted = JSON.parse(record)
  return {
    date: beginOf('MINUTE', at),
    resolution: 'MINUTE',
    status,
    carrier: carrier ?? null,
    messages: 1,
    parts: numberOfParts,
    micros: Math.round(creditCost * microsPerCredit),
  }
}

/** The counted fields of a notification record. */
interface Counted {
  readonly numberOfParts: number
  readonly creditCost: number
}

function add(sums: Map<string, Tally>, more: Tally): void {
  const key = `${more.date} ${more.status} ${more.carrier ?? ''}`
  const sum = sums.get(key)
  if (sum === undefined) {
    sums.set(key, more)
    return
  }
  const messages = sum.messages + more.messages
  const parts = sum.parts + more.parts
  sums.set(key, { ...sum, messages, parts, micros: sum.micros + more.micros })
}

function beginOf(resolution: Resolution, at: Instant): Instant {
  return at - (at % periodMs[resolution])
}
