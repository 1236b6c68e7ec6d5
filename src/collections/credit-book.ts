import type { Metrics } from '../core/metrics.ts'
import type { Store, Transaction } from '../core/store.ts'
import { microsPerCredit } from '../core/credits.ts'
import type { MovementKind } from './credit-movements.ts'

/** What a transaction does with credits, to be counted when it is committed. */
interface Book {
  readonly moved: { readonly kind: MovementKind; readonly micros: number }[]
  readonly refused: () => void
}

/** Of the transactions that run. Not weak: each would leave its entry to the slow collector. */
const books = new Map<Transaction, Book>()

/** Notes a movement of a transaction: it counts once that is committed. */
export function noteMoved(transaction: Transaction, kind: MovementKind, micros: number): void {
  books.get(transaction)?.moved.push({ kind, micros })
}

/** Notes that there were not enough credits for something. */
export function noteRefused(transaction: Transaction): void {
  books.get(transaction)?.refused()
}

/** A store whose movements of credits are counted, in credits, by their kind. */
export function countingCredits(store: Store, metrics: Metrics): Store {
  const moved = metrics.counter('nuncio_credits_moved_total', 'Credits moved, by why.')
  const refusals = metrics.counter(
    'nuncio_credits_refused_total',
    'Times that an account had not enough credits.',
  )
  const refused = (): void => refusals.add({})
  return {
    ...store,
    transact: async (work, pace) => {
      let book: Book = { moved: [], refused }
      const result = await store.transact((transaction) => {
        // Where it is run again, what it did before is undone.
        book = { moved: [], refused }
        books.set(transaction, book)
        return work(transaction).finally(() => books.delete(transaction))
      }, pace)
      for (const { kind, micros } of book.moved) {
        moved.add({ kind }, Math.abs(micros) / microsPerCredit)
      }
      return result
    },
  }
}
