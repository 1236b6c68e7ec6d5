import { fieldsOf } from '../../core/correlation.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import type { Labels, Metrics } from '../../core/ports/metrics.ts'
import type { ClientAddress } from '../access/client-address.ts'
import type { Observe } from './handle.ts'

/** Observes requests with each of several observers. */
export function observeAll(observers: readonly Observe[]): Observe {
  const [only] = observers
  if (only !== undefined && observers.length === 1) return only
  return (...begun) => {
    const ends = observers.map((observe) => observe(...begun))
    return (status) => {
      for (const end of ends) end(status)
    }
  }
}

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

/** Maximum length of a logged path, in characters. */
const pathLengthMax = 500

/**
 * Writes a line for each response. It lacks the query, which can have addresses, texts and the
 * tokens of callbacks; paths hold no secrets.
 */
export function accessLog(log: Log, clock: Clock, clientAddress: ClientAddress): Observe {
  return (request, correlation) => {
    const began = clock.monotonic()
    return (status) => {
      const [path = ''] = request.target.split('?', 1)
      log('info', 'request answered', {
        method: request.method,
        path: path.slice(0, pathLengthMax),
        status,
        durationMs: Math.round((clock.monotonic() - began) * 10) / 10,
        clientAddress: clientAddress(request),
        ...fieldsOf(correlation),
      })
    }
  }
}
