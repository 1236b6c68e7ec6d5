/** A request as plain data: the edge makes it from a socket, a test from a literal. */
export interface PlainRequest {
  readonly method: string
  /** The target as it was sent: path and query. */
  readonly target: string
  /** Header fields by lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The body as it was sent; empty where there is none. */
  readonly body: Uint8Array
  /** What was wrong with it before anyone looked at what it asks for, if anything. */
  readonly refused?: unknown
  /** Makes a signal that is given when the client has gone, for answers that stream. */
  readonly gone?: () => AbortSignal
}

/** An answer as plain data. A stream goes on until its source ends or the client has gone. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | AsyncIterable<string> | null
}

/** The value of a header field that may stand once; several are joined as RFC 9110 section 5.3 says. */
export function header(request: PlainRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'object' ? value.join(', ') : value
}
