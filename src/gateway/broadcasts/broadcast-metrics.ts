import { broadcastWork } from '../../collections/broadcast-work.ts'
import { everyAccount } from '../../core/account.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'

/** Measures the broadcasts in progress. */
export function measureBroadcasts(metrics: Metrics, store: Store): void {
  metrics.gauge(
    'nuncio_broadcasts_in_progress',
    'Broadcasts, scheduled ones included, that have messages to create or to cancel.',
    () =>
      store
        .read(everyAccount, (reader) => reader.count(broadcastWork, null, every))
        .then(
          (value) => [{ labels: {}, value }],
          // An unreachable store must not block the other metrics.
          () => [],
        ),
  )
}

const every = { conditions: [], searchTerms: [] }
