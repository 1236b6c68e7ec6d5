import packageJson from '../../../package.json' with { type: 'json' }
import type { Clock } from '../../core/ports/clock.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import type { Tracing } from '../../core/tracing.ts'
import { metricProducer } from './exported-metrics.ts'
import { spanTracing } from './exported-spans.ts'

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
