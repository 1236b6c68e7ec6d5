import type { Instant } from '../../core/ports/clock.ts'
import { parseTimestamp, timestamp } from '../../core/timestamp.ts'

/** Secret; an old one has an end. */
export interface EndingSecret {
  readonly until: string | null
}

/** Validity of an old secret, in milliseconds: time to update every receiver. */
const overlapMs = 24 * 3_600_000

/** Puts a new secret first; each older one ends when its time is over. */
export function overlapping<E extends EndingSecret>(
  newest: E,
  before: readonly E[],
  now: Instant,
): readonly E[] {
  const end = now + overlapMs
  const old = before
    .map((each) => ({ each, until: endOf(each.until) ?? end }))
    .filter(({ until }) => until > now)
    .map(({ each, until }) => ({ ...each, until: timestamp(until) }))
  return [newest, ...old]
}

function endOf(until: string | null): Instant | null {
  return until === null ? null : parseTimestamp(until)
}
