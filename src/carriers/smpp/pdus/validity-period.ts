import type { Instant } from '../../../core/ports/clock.ts'
import { timestamp } from '../../../core/timestamp.ts'
import type { SmppSettings } from '../settings.ts'

/**
 * Writes the end of a validity, SMPP 3.4 section 7.1.1: absolute in UTC (`YYMMDDhhmmsst00+`), or
 * relative (`YYMMDDhhmmss000R`). Empty for none, which leaves it to the SMSC.
 */
export function validityPeriod(
  until: Instant | null,
  now: Instant,
  form: SmppSettings['validityPeriod'],
): string {
  if (until === null || form === 'ABSENT') return ''
  if (form === 'RELATIVE') return relative(until - now)
  // From 2026-01-02T03:04:05.600Z.
  const digits = timestamp(until).replace(/\D/g, '')
  return `${digits.slice(2, 15)}00+`
}

/** The most days in two digits. Months have no fixed length. */
const secondsMax = 99 * 86_400

function relative(leftMs: number): string {
  const seconds = Math.min(Math.max(Math.floor(leftMs / 1000), 1), secondsMax)
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24]
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60]
  const digits = [days, hours, minutes, rest].map((each) => String(each).padStart(2, '0'))
  return `0000${digits.join('')}000R`
}
