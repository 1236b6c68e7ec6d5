import type * as Api from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type * as Meters from '@opentelemetry/sdk-metrics'
import type { Clock } from '../../core/ports/clock.ts'
import type { Labels, MetricFamily, Metrics, ObservedSeries } from '../../core/ports/metrics.ts'

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
export function metricProducer(metrics: Metrics, parts: ProducerParts): Meters.MetricProducer {
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
