import { Problem } from '../../core/problem.ts'

/** The media type of nearly every response. */
export const json = ['application/json'] as const

/**
 * Throws `not-acceptable` unless the field `Accept` (RFC 9110 section 12.5.1) accepts one of these
 * media types. A missing field accepts all.
 */
export function checkAccept(accept: string | undefined, types: readonly string[]): void {
  if (accept === undefined || accept === '*/*' || types.some((type) => accepts(accept, type)))
    return
  throw new Problem(
    'not-acceptable',
    `The response is ${types.join(' or ')}. Accept it, or omit Accept.`,
  )
}

/** Returns true if the most specific range that matches a media type has a weight above 0. */
export function accepts(accept: string, type: string): boolean {
  const family = `${type.split('/', 1)[0]}/*`
  const ranges = new Map(accept.split(',').map(readRange))
  const weight = ranges.get(type) ?? ranges.get(family) ?? ranges.get('*/*') ?? 0
  return weight > 0
}

/** Returns true if a client names HTML, as browsers do: programs that accept everything get JSON. */
export function asksHtml(accept = ''): boolean {
  return accept.includes('text/html') && accepts(accept, 'text/html')
}

function readRange(range: string): [type: string, weight: number] {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2)
  return [type, weight === undefined ? 1 : Number(weight) || 0]
}

/** Reads `Accept-Encoding` (RFC 9110 section 12.5.3): a weight of 0 refuses a coding. */
export function acceptsCoding(accepted: string, coding: string): boolean {
  return accepted
    .toLowerCase()
    .split(',')
    .map((each) => each.trim())
    .some((each) => new RegExp(`^${coding}\\s*(;\\s*q=(1|0\\.0*[1-9]).*)?$`).test(each))
}
