import type { Clock } from '../../core/ports/clock.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import type { Observe } from './handle.ts'

/** Seconds; from a read out of the cache to what a client gives up on. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Measures the duration of requests, and counts those in progress. */
export function measureRequests(metrics: Metrics, clock: Clock): Observe {
  let active = 0
  metrics.gauge('http_server_active_requests', 'Requests in progress.', () => [
    { labels: {}, value: active },
  ])
  const duration = metrics.histogram(
    'http_server_request_duration_seconds',
    'Time from a request to its response.',
    buckets,
  )
  const labelsOf = new Map<string, Map<number, Labels>>()
  const labels = (method: string, status: number): Labels => {
    const known = labelsOf.get(method)?.get(status)
    if (known !== undefined) return known
    const made = { http_request_method: method, http_response_status_code: String(status) }
    labelsOf.set(method, (labelsOf.get(method) ?? new Map<number, Labels>()).set(status, made))
    return made
  }
  return ({ method }) => {
    const began = clock.monotonic()
    active += 1
    return (status) => {
      active -= 1
      const seconds = (clock.monotonic() - began) / 1000
      duration.observe(labels(method, status), seconds)
    }
  }
}
