/** A Fetch `Headers`, or a plain object such as Node's `request.headers`, names in any case. */
export type HeaderSource = FetchHeaders | HeaderRecord

/** A Fetch `Headers`, by its shape. */
export interface FetchHeaders {
  get(name: string): string | null
}

/** Headers by name, as Node has them; a name may have several values. */
export interface HeaderRecord {
  readonly [name: string]: string | readonly string[] | undefined
}

/**
 * The value of a header, found by its name in lower case; values given as a list are joined by
 * spaces.
 */
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
