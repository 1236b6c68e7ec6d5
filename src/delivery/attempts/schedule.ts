import type { Instant } from '../../core/ports/clock.ts'
import type { Random } from '../../core/ports/random.ts'

/** The waits between attempts, in milliseconds. At least one; the last one repeats. */
export type Schedule = readonly number[]

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/**
 * | failure  | wait   | since the first failure |
 * |----------|--------|-------------------------|
 * | 1        | 5 s    | 5 s                     |
 * | 2        | 30 s   | 35 s                    |
 * | 3        | 2 min  | 2 min 35 s              |
 * | 4        | 10 min | 12 min 35 s             |
 * | 5        | 30 min | 42 min 35 s             |
 * | 6        | 1 h    | 1 h 42 min 35 s         |
 * | 7        | 2 h    | 3 h 42 min 35 s         |
 * | 8        | 4 h    | 7 h 42 min 35 s         |
 * | 9 and on | 6 h    | 13 h 42 min 35 s, and on up to 3 days |
 */
export const defaultSchedule: Schedule = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  hourMs,
  2 * hourMs,
  4 * hourMs,
  6 * hourMs,
]

/** Failing time without one success after which a webhook is disabled. */
export const exhaustedAfterMs = 3 * dayMs

/** Retention of notifications and delivery attempts. */
export const retentionMs = 7 * dayMs

/** Relative jitter of a wait, so that webhooks that fail together do not retry together. */
const jitter = 0.2

/** A receiver cannot put us off for longer than this. */
const retryAfterMsMax = dayMs

/** A receiver that says "now" again and again must not be asked in a tight loop. */
const retryAfterMsMin = secondMs

/** Returns the wait after a failure, `step` from 0, in milliseconds. */
export function waitMs(schedule: Schedule, step: number, random: Random): number {
  const planned = schedule[Math.min(step, schedule.length - 1)] ?? 0
  return Math.round(planned * (1 - jitter + 2 * jitter * random.fraction()))
}

/**
 * Parses `Retry-After` (RFC 9110 section 10.2.3) into a wait in milliseconds, 1 s to 24 h. Returns
 * null if it is absent or malformed.
 */
export function retryAfterMs(field: string | null, now: Instant): number | null {
  if (field === null) return null
  const asked = /^\d+$/.test(field)
    ? Number(field) * secondMs
    : untilMs(parseHttpDate(field, now), now)
  return asked === null ? null : Math.min(Math.max(asked, retryAfterMsMin), retryAfterMsMax)
}

function untilMs(date: Instant | null, now: Instant): number | null {
  return date === null ? null : date - now
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const month = `(?<month>${months.join('|')})`
const time = '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)'

/** The three forms that a recipient must accept: IMF-fixdate, and the obsolete ones of RFC 850 and asctime. */
const forms = [
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d\\d) ${month} (?<year>\\d{4}) ${time} GMT$`,
  `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d\\d)-${month}-(?<year>\\d\\d) ${time} GMT$`,
  `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${month} (?<day>[ \\d]\\d) ${time} (?<year>\\d{4})$`,
].map((form) => new RegExp(form))

/** Reads an HTTP-date (RFC 9110 section 5.6.7). Null for anything else, a day that does not exist included. */
export function parseHttpDate(text: string, now: Instant): Instant | null {
  const parts = forms.map((form) => form.exec(text)?.groups).find((groups) => groups !== undefined)
  if (parts === undefined) return null

  const { year = '', month: name = '', day, hour, minute, second } = parts
  const fullYear = year.length === 2 ? nearYear(Number(year), now) : Number(year)
  const read = [fullYear, months.indexOf(name), Number(day), Number(hour), Number(minute)] as const
  const instant = Date.UTC(...read, Number(second))

  // Date rolls over: it reads 30 February as 1 March, and 25:00 as 1:00.
  const date = new Date(instant)
  const same = date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour)
  return same && Number(minute) < 60 && Number(second) <= 60 ? instant : null
}

/** A year of two digits is the last with these digits that is at most 50 years ahead. */
function nearYear(digits: number, now: Instant): number {
  const latest = new Date(now).getUTCFullYear() + 50
  return latest - ((((latest - digits) % 100) + 100) % 100)
}
