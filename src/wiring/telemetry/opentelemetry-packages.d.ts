// The parts in use of OpenTelemetry's packages, which are optional: most installations lack them.

declare module '@opentelemetry/api' {
  interface SpanContext {
    readonly traceId: string
    readonly spanId: string
    readonly traceFlags: number
    readonly isRemote?: boolean
  }
  interface Context {
    readonly brand: 'Context'
  }
  type Attributes = Readonly<Record<string, string | number>>
  interface Span {
    spanContext(): SpanContext
    setAttributes(attributes: Attributes): void
    setStatus(status: { readonly code: number; readonly message: string }): void
    end(): void
  }
  interface SpanOptions {
    readonly kind: number
    readonly attributes: Attributes
    readonly links: readonly { readonly context: SpanContext }[]
  }
  interface Tracer {
    startSpan(name: string, options: SpanOptions, context: Context): Span
  }
  const ROOT_CONTEXT: Context
  const SpanKind: { readonly SERVER: number; readonly CLIENT: number; readonly INTERNAL: number }
  const SpanStatusCode: { readonly ERROR: number }
  const ValueType: { readonly DOUBLE: number }
  const trace: { setSpanContext(context: Context, parent: SpanContext): Context }
}

declare module '@opentelemetry/resources' {
  type Resource = { readonly brand: 'Resource' }
  function resourceFromAttributes(attributes: Readonly<Record<string, string>>): Resource
}

declare module '@opentelemetry/sdk-trace' {
  import type { Tracer } from '@opentelemetry/api'
  import type { Resource } from '@opentelemetry/resources'
  interface SpanProcessor {
    readonly brand: 'SpanProcessor'
  }
  class BatchSpanProcessor implements SpanProcessor {
    readonly brand: 'SpanProcessor'
    constructor(options: { readonly exporter: object; readonly scheduledDelayMillis: number })
  }
  class TracerProvider {
    constructor(options: {
      readonly resource: Resource
      readonly spanProcessors: readonly SpanProcessor[]
    })
    getTracer(name: string, version: string): Tracer
    shutdown(): Promise<void>
  }
}

declare module '@opentelemetry/sdk-metrics' {
  import type { Resource } from '@opentelemetry/resources'
  const AggregationTemporality: { readonly CUMULATIVE: number }
  const DataPointType: { readonly HISTOGRAM: number; readonly GAUGE: number; readonly SUM: number }
  interface MetricProducer {
    collect(): Promise<object>
  }
  class PeriodicExportingMetricReader {
    forceFlush(): Promise<void>
    constructor(options: {
      readonly exporter: object
      readonly exportIntervalMillis: number
      readonly metricProducers: readonly MetricProducer[]
    })
  }
  class MeterProvider {
    constructor(options: {
      readonly resource: Resource
      readonly readers: readonly PeriodicExportingMetricReader[]
    })
    shutdown(): Promise<void>
  }
}

declare module '@opentelemetry/exporter-trace-otlp-proto' {
  class OTLPTraceExporter {
    shutdown(): Promise<void>
    constructor(options: { readonly url: string })
  }
}

declare module '@opentelemetry/exporter-metrics-otlp-proto' {
  class OTLPMetricExporter {
    shutdown(): Promise<void>
    constructor(options: { readonly url: string })
  }
}
