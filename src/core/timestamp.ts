import type { Instant } from './clock.ts'

/** A full date and time of RFC 3339 section 5.6, with its offset from UTC. */
const form = /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/

/** Writes an instant as Nuncio does everywhere: ISO 8601, UTC, milliseconds, `Z`. */
export function timestamp(instant: Instant): string {
  return new Date(instant).toISOString()
}

/**
 * Reads a timestamp of RFC 3339, whatever its offset; fractions below a millisecond are cut off.
 * Returns null for anything else, a day that does not exist included.
 */
export function parseTimestamp(text: string): Instant | null {
  const match = form.exec(text)
  if (match === null) return null
  const [, year, month, day, hour, minute, second, fraction = '', offset = 'Z'] = match
  const milliseconds = `${fraction.slice(1)}000`.slice(0, 3)
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}.${milliseconds}`
  const asUtc = new Date(`${local}Z`)
  // Date rolls over: it reads 30 February as 1 March.
  if (Number.isNaN(asUtc.getTime()) || asUtc.toISOString() !== `${local}Z`) return null
  const instant = new Date(local + offset.toUpperCase()).getTime()
  // An offset can push the first and the last day out of the years of four digits, which compare as text.
  return Number.isNaN(instant) || timestamp(instant).length !== 24 ? null : instant
}
