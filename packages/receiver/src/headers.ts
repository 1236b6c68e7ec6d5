/**
 * Header fields: a Fetch `Headers`, or an object such as Node's `request.headers`, with names in any
 * case.
 */
export type HeaderSource = FetchHeaders | HeaderRecord

/** A Fetch `Headers`, by its shape. */
export interface FetchHeaders {
  get(name: string): string | null
}

/** Header fields by name, as in Node; a name may have several values. */
export interface HeaderRecord {
  readonly [name: string]: string | readonly string[] | undefined
}

/** Returns the value of a header field by its lower-case name; several values are joined by spaces. */
export function readHeader(headers: HeaderSource, name: string): string | undefined {
  if (isFetchHeaders(headers)) return headers.get(name) ?? undefined

  const value = headers[name] ?? headers[nameIn(headers, name) ?? name]
  return typeof value === 'string' ? value : value?.join(' ')
}

function nameIn(headers: HeaderRecord, name: string): string | undefined {
  return Object.keys(headers).find((candidate) => candidate.toLowerCase() === name)
}

function isFetchHeaders(headers: HeaderSource): headers is FetchHeaders {
  return typeof headers.get === 'function'
}
