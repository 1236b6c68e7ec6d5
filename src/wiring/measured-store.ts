import type { Clock } from '../core/ports/clock.ts'
import type { Labels, Metrics } from '../core/ports/metrics.ts'
import type { Store } from '../core/ports/store.ts'

/** Seconds; up to the longest wait for a lock. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

const none: Labels = {}

/** Measures how long transactions take until they are durable. */
export function measuredStore(
  { store, clock }: { readonly store: Store; readonly clock: Clock },
  registry: Metrics,
): Store {
  const duration = registry.histogram(
    'nuncio_store_commit_duration_seconds',
    'Time from the start of a transaction that writes until it is durable.',
    buckets,
  )
  return {
    ...store,
    transact: (work, mode, shard) => {
      const began = clock.monotonic()
      const done = store.transact(work, mode, shard)
      done.then(
        () => duration.observe(none, (clock.monotonic() - began) / 1000),
        () => {},
      )
      return done
    },
  }
}
