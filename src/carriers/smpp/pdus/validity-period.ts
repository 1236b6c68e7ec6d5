import type { Instant } from '../../../core/ports/clock.ts'
import { timestamp } from '../../../core/timestamp.ts'

/**
 * Writes a time as SMPP 3.4 section 7.1.1 has it, absolute and in UTC: `YYMMDDhhmmsst00+`. Empty for
 * none, which leaves it to the SMSC.
 */
export function validityPeriod(until: Instant | null): string {
  if (until === null) return ''
  // From 2026-01-02T03:04:05.600Z.
  const digits = timestamp(until).replace(/\D/g, '')
  return `${digits.slice(2, 15)}00+`
}
