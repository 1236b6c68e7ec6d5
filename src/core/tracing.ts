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
