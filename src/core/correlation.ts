/** Identifiers that connect a message with the request that created it. */
export interface Correlation {
  readonly requestId: string
  /** The trace of the request (W3C Trace Context); null if it has none. */
  readonly traceparent: string | null
}

/** Identifiers that clients may choose. None can break a header field, a log line or a stored text. */
const requestIdForm = /^[\w.~:/+=@-]{1,128}$/

/** Returns the identifier that a request chose in `X-Request-Id`; null if absent or malformed. */
export function chosenRequestId(field: unknown): string | null {
  return typeof field === 'string' && requestIdForm.test(field) ? field : null
}

/** Version, trace, parent and flags. Later versions may add fields, which start with a dash. */
const traceparentForm =
  /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/

/**
 * Returns the value of a `traceparent` field in version 00; null if absent or malformed: then a new trace
 * begins (W3C Trace Context, section 4.2).
 */
export function readTraceparent(field: unknown): string | null {
  if (typeof field !== 'string') return null
  const [, version, trace, parent, flags, more] = traceparentForm.exec(field) ?? []
  if (trace === undefined || (version === '00' && more !== undefined)) return null
  return `00-${trace}-${parent}-${flags}`
}

/** Returns the text that a store keeps; `readCorrelation` reads it. */
export function correlationText({ requestId, traceparent }: Correlation): string {
  return traceparent === null ? requestId : `${requestId} ${traceparent}`
}

/** Reads a stored text; null if there is none. */
export function readCorrelation(text: unknown): Correlation | null {
  if (typeof text !== 'string') return null
  const [requestId = '', traceparent = null] = text.split(' ')
  return { requestId, traceparent }
}

/** The most requests, and the most traces, that one log line names. */
const namedMax = 20

/** Returns the fields of a log line about messages with these stored texts. */
export function correlationFields(
  ...texts: readonly unknown[]
): Readonly<Record<string, string | readonly string[]>> {
  const [only, ...others] = new Set(texts)
  if (others.length === 0) {
    const known = readCorrelation(only)
    return known === null ? {} : fieldsOf(known)
  }
  const known = [only, ...others].flatMap((text) => readCorrelation(text) ?? [])
  const requestIds = known.map(({ requestId }) => requestId).slice(0, namedMax)
  const traces = known.flatMap(({ traceparent }) => traceparent ?? []).map(traceIdOf)
  const traceIds = [...new Set(traces)].slice(0, namedMax)
  return {
    ...(requestIds.length === 0 ? {} : { requestIds }),
    ...(traceIds.length === 0 ? {} : { traceIds }),
  }
}

/** Returns the fields of a log line about one request. */
export function fieldsOf({
  requestId,
  traceparent,
}: Correlation): Readonly<Record<string, string>> {
  return traceparent === null ? { requestId } : { requestId, traceId: traceIdOf(traceparent) }
}

/** Returns the trace that a `traceparent` belongs to. */
function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35)
}

/**
 * Returns the header fields of a request about messages with these stored texts: those of the request that
 * created all of them, or none if they came from several.
 */
export function correlationHeaders(...texts: readonly unknown[]): Record<string, string> {
  const [only, ...others] = new Set(texts)
  const known = others.length === 0 ? readCorrelation(only) : null
  if (known === null) return {}
  const { requestId, traceparent } = known
  return {
    'x-request-id': requestId,
    ...(traceparent === null ? {} : { traceparent }),
  }
}

/** Attributes of a span, named after OpenTelemetry's semantic conventions. */
export type SpanAttributes = Readonly<Record<string, string | number>>

/** A piece of work that begins. Attributes are worked out only if spans are recorded. */
export interface SpanStart {
  readonly name: string
  readonly kind: 'SERVER' | 'CLIENT' | 'INTERNAL'
  /** The trace that it belongs to, as a `traceparent`; null begins one. */
  readonly parent: string | null
  /** Other traces that it works for. */
  readonly links?: readonly string[]
  readonly attributes: () => SpanAttributes
}

/** A piece of work in a trace. */
export interface Span {
  /** The `traceparent` of what it causes; null if it belongs to no trace. */
  readonly traceparent: string | null
  /** `error` says why it failed, if it did. */
  end(attributes?: () => SpanAttributes, error?: string | null): void
}

/** Records spans. */
export interface Tracing {
  begin(start: SpanStart): Span
}

/** Records nothing, and passes traces on. */
export const noTracing: Tracing = {
  begin: ({ parent }) => ({ traceparent: parent, end: () => {} }),
}
