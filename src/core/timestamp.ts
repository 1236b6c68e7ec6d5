import type { Instant } from './ports/clock.ts'

/** A full date and time of RFC 3339 section 5.6, with its offset from UTC. */
const form =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** The last instant that was written: under load many in a row are the same. */
let last = { instant: 0, text: '1970-01-01T00:00:00.000Z' }

/** Last formatted second, up to and including its full stop. */
let lastSecond = { second: 0, text: '1970-01-01T00:00:00.' }

/** Writes an instant as Nuncio does everywhere: ISO 8601, UTC, milliseconds, `Z`. */
export function timestamp(instant: Instant): string {
  if (instant !== last.instant) last = { instant, text: written(Math.trunc(instant)) }
  return last.text
}

/** Most of one that is written was written just before: only the milliseconds are other ones. */
function written(instant: Instant): string {
  const second = Math.floor(instant / 1000)
  if (second !== lastSecond.second) {
    lastSecond = { second, text: new Date(second * 1000).toISOString().slice(0, -'000Z'.length) }
  }
  return `${lastSecond.text}${String(instant - second * 1000).padStart(3, '0')}Z`
}

/**
 * Parses a timestamp of RFC 3339 from the year 1000 on, with any offset; fractions below a
 * millisecond are cut off. Returns null for any other text, such as a day that does not exist.
 */
export function parseTimestamp(text: string): Instant | null {
  const match = form.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction, sign, offsetHour, offsetMinute] = match
  const local = { year: Number(year), month: Number(month), day: Number(day) }
  const time = { hour: Number(hour), minute: Number(minute), second: Number(second) }
  const offset = { hour: Number(offsetHour ?? 0), minute: Number(offsetMinute ?? 0) }
  if (!isDay(local) || !isTime(time) || !isTime({ ...offset, second: 0 })) return null

  const milliseconds = Number(`${fraction ?? ''}000`.slice(0, 3))
  const asUtc = Date.UTC(
    local.year,
    local.month - 1,
    local.day,
    time.hour,
    time.minute,
    time.second,
  )
  const offsetMs = (offset.hour * 60 + offset.minute) * 60_000 * (sign === '-' ? -1 : 1)
  const instant = asUtc + milliseconds - offsetMs
  return instant > latest ? null : instant
}

/** Years of four digits compare as text in the order of time. */
const latest = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

function isDay({ year, month, day }: { year: number; month: number; day: number }): boolean {
  // Date.UTC reads the years below 100 as 1900 and on.
  if (year < 1000 || month < 1 || month > 12 || day < 1) return false
  if (month !== 2)
    return day <= (month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31)
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day <= (leap ? 29 : 28)
}

/** No leap seconds: a clock of milliseconds since 1970 does not have them. */
function isTime({
  hour,
  minute,
  second,
}: {
  hour: number
  minute: number
  second: number
}): boolean {
  return hour < 24 && minute < 60 && second < 60
}
