import { countingCredits } from '../collections/credits/counting-credits.ts'
import type { Config } from '../config/config.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Labels, Metrics } from '../core/ports/metrics.ts'
import type { Store } from '../core/ports/store.ts'
import {
  type ObserveTransition,
  observingTransitions,
  traceTransition,
  transitionLog,
} from '../gateway/messages/transitions.ts'
import type { Dependencies } from './dependencies.ts'

/** Returns a store whose duration, credits and transitions are observed; what it commits is unchanged. */
export function observedStore(
  { log: level }: Config,
  given: Dependencies,
  registry: Metrics,
  observe: ObserveTransition,
): Store {
  const counted = countingCredits(measuredStore(given, registry), registry)
  const isLogged = level === 'debug' || level === 'trace'
  const write = transitionLog(given.log)
  return observingTransitions(counted, (transition) => {
    observe(transition)
    if (given.tracing !== undefined) traceTransition(given.tracing, transition)
    if (isLogged) write(transition)
  })
}

/** Seconds; up to the longest wait for a lock. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Measures how long commits and queries take. A commit counts from the start of its transaction until it is
 * durable, a query with its wait for a thread or a connection.
 */
function measuredStore(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  registry: Metrics,
): Store {
  const duration = registry.histogram(
    'db_client_operation_duration_seconds',
    'Time of transactions that write until they are durable, and of queries.',
    buckets,
  )
  const labelsOf = (operation: string): Labels => ({
    db_operation_name: operation,
    db_system_name: store.isShared ? 'postgresql' : 'sqlite',
  })
  const [commit, page, count] = [labelsOf('commit'), labelsOf('page'), labelsOf('count')]
  const measure = <T>(labels: Labels, work: () => Promise<T>): Promise<T> => {
    const began = clock.monotonic()
    const done = work()
    done.then(
      () => duration.observe(labels, (clock.monotonic() - began) / 1000),
      () => {},
    )
    return done
  }
  return {
    ...store,
    transact: (...asked) => measure(commit, () => store.transact(...asked)),
    page: (...asked) => measure(page, () => store.page(...asked)),
    count: (...asked) => measure(count, () => store.count(...asked)),
  }
}
