import type { Clock } from '../../core/ports/clock.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import type { Observe } from './handle.ts'

/** Seconds; from a read out of the cache to what a client gives up on. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Counts responses and measures their duration. */
export function measureRequests(metrics: Metrics, clock: Clock): Observe {
  const total = metrics.counter('nuncio_http_requests_total', 'Responses.')
  const duration = metrics.histogram(
    'nuncio_http_request_duration_seconds',
    'Time from a request to its response.',
    buckets,
  )
  const labelsOf = new Map<string, Map<number, Labels>>()
  const labels = (method: string, status: number): Labels => {
    const known = labelsOf.get(method)?.get(status)
    if (known !== undefined) return known
    const made = { method, status: String(status) }
    labelsOf.set(method, (labelsOf.get(method) ?? new Map<number, Labels>()).set(status, made))
    return made
  }
  return ({ method }) => {
    const began = clock.monotonic()
    return (status) => {
      const series = labels(method, status)
      total.add(series)
      duration.observe(series, (clock.monotonic() - began) / 1000)
    }
  }
}
