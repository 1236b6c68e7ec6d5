import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { getHeapSpaceStatistics } from 'node:v8'
import packageJson from '../../package.json' with { type: 'json' }
import type { Clock } from '../core/ports/clock.ts'
import type { Metrics } from '../core/ports/metrics.ts'

/** Nanoseconds, which Node measures delays in, and microseconds, which it measures CPU time in. */
const [nanos, micros] = [1e9, 1e6]

/** Interval at which the delay of the event loop is measured, in milliseconds. */
const resolutionMs = 20

/**
 * Measures this process under the names of OpenTelemetry's semantic conventions, in the form that
 * Prometheus gives them.
 */
export function measureProcess(metrics: Metrics, clock: Clock, store: string): Disposable {
  const startedAt = clock.now()
  const began = clock.monotonic()
  const one = (name: string, help: string, read: () => number): void =>
    metrics.gauge(name, help, () => [{ labels: {}, value: read() }])

  const labels = { version: packageJson.version, node: process.version, store }
  metrics.gauge('nuncio_build_info', 'Version of the service, with the value 1.', () => [
    { labels, value: 1 },
  ])
  one('process_start_time_seconds', 'Time of the start, since 1970.', () => startedAt / 1000)
  one('process_uptime_seconds', 'Time since the start.', () => (clock.monotonic() - began) / 1000)
  one('process_memory_usage_bytes', 'Resident memory.', () => process.memoryUsage.rss())
  metrics.total('process_cpu_time_seconds_total', 'CPU time, by mode.', () => {
    const { user, system } = process.cpuUsage()
    return [
      { labels: { cpu_mode: 'user' }, value: user / micros },
      { labels: { cpu_mode: 'system' }, value: system / micros },
    ]
  })
  metrics.gauge('v8js_memory_heap_used_bytes', 'Used heap, by space.', () =>
    getHeapSpaceStatistics().map(({ space_name: name, space_used_size: value }) => ({
      labels: { v8js_heap_space_name: name },
      value,
    })),
  )
  return measureLoop(one)
}

/** Measures the delay of the event loop since it was last read. */
function measureLoop(one: (name: string, help: string, read: () => number) => void): Disposable {
  const delay = monitorEventLoopDelay({ resolution: resolutionMs })
  delay.enable()
  let last = performance.eventLoopUtilization()
  one('nodejs_eventloop_delay_p50_seconds', 'Median delay of the event loop.', () => {
    return delay.percentile(50) / nanos
  })
  one('nodejs_eventloop_delay_p99_seconds', 'Delay that 1 % exceed.', () => {
    return delay.percentile(99) / nanos
  })
  // The last one that is read begins the next interval.
  one('nodejs_eventloop_delay_max_seconds', 'Longest delay since the last read.', () => {
    const longest = delay.max / nanos
    delay.reset()
    return longest
  })
  one('nodejs_eventloop_utilization_ratio', 'Share of the time with work.', () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  })
  return { [Symbol.dispose]: () => delay.disable() }
}
