import type * as Api from '@opentelemetry/api'
import type { Span, Tracing } from '../../core/tracing.ts'

/** Records spans with a tracer of OpenTelemetry, which decides on the sampling. */
export function spanTracing(api: typeof Api, tracer: Api.Tracer): Tracing {
  return {
    begin: ({ name, kind, parent, links = [], attributes }) => {
      const context =
        parent === null
          ? api.ROOT_CONTEXT
          : api.trace.setSpanContext(api.ROOT_CONTEXT, contextIn(parent))
      const options = {
        kind: api.SpanKind[kind],
        attributes: attributes(),
        links: links.map((link) => ({ context: contextIn(link) })),
      }
      return spanOf(api, tracer.startSpan(name, options, context))
    },
  }
}

function spanOf(api: typeof Api, span: Api.Span): Span {
  const { traceId, spanId, traceFlags } = span.spanContext()
  return {
    traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
    end: (attributes, error = null) => {
      if (attributes !== undefined) span.setAttributes(attributes())
      if (error !== null) span.setStatus({ code: api.SpanStatusCode.ERROR, message: error })
      span.end()
    },
  }
}

function contextIn(traceparent: string): Api.SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
}
