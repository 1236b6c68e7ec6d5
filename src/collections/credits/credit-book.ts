import type { Metrics } from '../../core/ports/metrics.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { microsPerCredit } from './credit-amounts.ts'
import { transactionNotes } from '../../core/transaction-notes.ts'
import { movementKinds, type MovementKind } from './credit-movements.ts'

/** A change of credits in a transaction. */
type Entry = { readonly kind: MovementKind; readonly micros: number } | { readonly kind: 'REFUSED' }

const book = transactionNotes<Entry>()

/** Notes a movement of a transaction: it counts once that is committed. */
export function noteMoved(transaction: Transaction, kind: MovementKind, micros: number): void {
  book.note(transaction, { kind, micros })
}

/** Counts a refusal for lack of credits, even if the transaction fails. */
export function noteRefused(transaction: Transaction): void {
  book.note(transaction, { kind: 'REFUSED' })
}

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
  return book.observing(store, (entries, isCommitted) => {
    for (const entry of entries) {
      if (entry.kind === 'REFUSED') refusals.add({})
      else if (isCommitted)
        moved.add({ kind: entry.kind }, Math.abs(entry.micros) / microsPerCredit)
    }
  })
}

/** OPENING sums up movements that were counted before. */
const counted = movementKinds.filter((kind) => kind !== 'OPENING')
