/** How long the field `Retry-After` (RFC 9110 section 10.2.3) asks to wait; null where it does not say. */
export function retryAfterMs(field: string | null, now: number): number | null {
  if (field === null) return null
  if (/^\d{1,9}$/.test(field.trim())) return Number(field) * 1000
  const at = Date.parse(field)
  return Number.isNaN(at) ? null : Math.max(0, at - now)
}
