import packageJson from '../../../package.json' with { type: 'json' }
import type * as Api from '@opentelemetry/api'
import type * as Meters from '@opentelemetry/sdk-metrics'
import type { Resource } from '@opentelemetry/resources'
import type { Clock } from '../../core/ports/clock.ts'
import type { Labels, MetricFamily, Metrics, ObservedSeries } from '../../core/ports/metrics.ts'
import type { Span, Tracing } from '../../core/correlation.ts'

/** The exporters to a collector. Disposing sends the remaining data. */
export interface Telemetry extends AsyncDisposable {
  readonly tracing: Tracing
  /** Exports these metrics from now on. */
  measure(metrics: Metrics): void
}

/** OpenTelemetry's packages are missing. The message has the command that installs them. */
export class MissingPackages extends Error {
  override readonly name = 'MissingPackages'
}

/** Intervals of exports, in milliseconds; those of OpenTelemetry are 5 and 60 seconds. */
const [spansEveryMs, metricsEveryMs] = [1000, 15_000]

const scope = { name: 'nuncio', version: packageJson.version }

/**
 * Loads OpenTelemetry's packages and opens the exporters to an OTLP endpoint. Throws `MissingPackages` if
 * they are not installed.
 */
export async function openTelemetry(endpoint: string, clock: Clock): Promise<Telemetry> {
  const { api, resources, traces, meters, spanExport, metricExport } = await packages()
  const resource = resources.resourceFromAttributes({
    'service.name': scope.name,
    'service.version': scope.version,
  })
  const exporter = new spanExport.OTLPTraceExporter({ url: `${endpoint}/v1/traces` })
  const processor = new traces.BatchSpanProcessor({ exporter, scheduledDelayMillis: spansEveryMs })
  const spans = new traces.TracerProvider({ resource, spanProcessors: [processor] })
  const ends = [() => spans.shutdown()]

  return {
    tracing: spanTracing(api, spans.getTracer(scope.name, scope.version)),
    measure: (metrics) => {
      const reader = new meters.PeriodicExportingMetricReader({
        exporter: new metricExport.OTLPMetricExporter({ url: `${endpoint}/v1/metrics` }),
        exportIntervalMillis: metricsEveryMs,
        metricProducers: [metricProducer(metrics, { api, meters, resource, scope, clock })],
      })
      const provider = new meters.MeterProvider({ resource, readers: [reader] })
      ends.push(() => provider.shutdown())
    },
    [Symbol.asyncDispose]: async () => {
      // An unreachable collector must not fail the stop.
      await Promise.all(ends.map((end) => end().catch(() => {})))
    },
  }
}

async function packages() {
  try {
    const [api, resources, traces, meters, spanExport, metricExport] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/sdk-metrics'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/exporter-metrics-otlp-proto'),
    ])
    return { api, resources, traces, meters, spanExport, metricExport }
  } catch (error) {
    throw new MissingPackages(
      `otlpEndpoint needs OpenTelemetry's packages.\nInstall them: ${installation.join(' ')}`,
      { cause: error },
    )
  }
}

const names = Object.entries(packageJson.peerDependencies).map((pair) => pair.join('@'))

/** In a checkout, npm without the flag leaves packages out that its manifest has as optional peers. */
export const installation: readonly string[] = ['npm', 'install', '--save-prod', ...names]

/** Dependencies of exported metrics. */
interface ProducerParts {
  readonly api: typeof Api
  readonly meters: typeof Meters
  readonly resource: Resource
  readonly scope: { readonly name: string; readonly version: string }
  readonly clock: Clock
}

/** Seconds and nanoseconds since 1970. */
type HrTime = readonly [seconds: number, nanos: number]

/** Reads metrics in the form that OpenTelemetry's reader exports. */
function metricProducer(metrics: Metrics, parts: ProducerParts): Meters.MetricProducer {
  const { resource, scope, clock } = parts
  const startTime = hrTime(clock.now())
  return {
    collect: async () => {
      const times = { startTime, endTime: hrTime(clock.now()) }
      const families = await metrics.read()
      const exported = families
        .map((family) => exportedFamily(family, times, parts))
        .filter(({ dataPoints }) => dataPoints.length > 0)
      const scopeMetrics = [{ scope, metrics: exported }]
      return { resourceMetrics: { resource, scopeMetrics }, errors: [] }
    },
  }
}

function exportedFamily(
  family: MetricFamily,
  times: { readonly startTime: HrTime; readonly endTime: HrTime },
  { api, meters }: ProducerParts,
) {
  const { name, help, type } = family
  const descriptor = {
    name,
    description: help,
    unit: unitOf(name),
    valueType: api.ValueType.DOUBLE,
  }
  const common = { descriptor, aggregationTemporality: meters.AggregationTemporality.CUMULATIVE }
  const point = (labels: Labels, value: unknown) => ({ ...times, attributes: labels, value })
  if (type === 'histogram') {
    const dataPointType = meters.DataPointType.HISTOGRAM
    const dataPoints = family.series.map((series) =>
      point(series.labels, histogramOf(family.buckets, series)),
    )
    return { ...common, dataPointType, dataPoints }
  }
  const dataPoints = family.samples.map(({ labels, value }) => point(labels, value))
  return type === 'counter'
    ? { ...common, dataPointType: meters.DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: meters.DataPointType.GAUGE, dataPoints }
}

function histogramOf(boundaries: readonly number[], { counts, sum }: ObservedSeries) {
  const count = counts.reduce((all, each) => all + each, 0)
  return { buckets: { boundaries, counts: [...counts] }, sum, count }
}

function unitOf(name: string): string {
  if (/_seconds(_total)?$/.test(name)) return 's'
  return /_bytes(_total)?$/.test(name) ? 'By' : '1'
}

function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1000), (ms % 1000) * 1_000_000]
}

/** Records spans with a tracer of OpenTelemetry, which decides on the sampling. */
function spanTracing(api: typeof Api, tracer: Api.Tracer): Tracing {
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
