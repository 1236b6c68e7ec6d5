/** Reads `Accept-Encoding` (RFC 9110 section 12.5.3): a weight of 0 refuses a coding. */
export function acceptsCoding(accepted: string, coding: string): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .some((each) => new RegExp(`^${coding}\\s*(;\\s*q=(1|0\\.0*[1-9]).*)?$`).test(each))
}
