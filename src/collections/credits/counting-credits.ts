import type { Metrics } from '../../core/ports/metrics.ts'
import type { Store } from '../../core/ports/store.ts'
import { creditNotes, microsPerCredit, movementKinds } from './credit-movements.ts'

/** A store whose movements of credits are counted, in credits, by their kind. */
export function countingCredits(store: Store, metrics: Metrics): Store {
  const moved = metrics.counter(
    'nuncio_credits_moved_total',
    'Credits moved, by kind.',
    counted.map((kind) => ({ kind })),
  )
  const refusals = metrics.counter(
    'nuncio_credits_refused_total',
    'Requests without enough credits, with dry runs.',
    [{}],
  )
  return creditNotes.observing(store, (entries, isCommitted) => {
    for (const entry of entries) {
      if (entry.kind === 'REFUSED') refusals.add({})
      else if (isCommitted)
        moved.add({ kind: entry.kind }, Math.abs(entry.micros) / microsPerCredit)
    }
  })
}

/** OPENING sums up movements that were counted before. */
const counted = movementKinds.filter((kind) => kind !== 'OPENING')
