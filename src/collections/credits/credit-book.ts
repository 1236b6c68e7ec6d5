import type { Metrics } from '../../core/ports/metrics.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { microsPerCredit } from '../../core/ports/credits.ts'
import type { MovementKind } from '../credit-movements.ts'

/** What a transaction did with credits, to be counted when it has ended. Few do anything. */
interface Book {
  readonly moved: { readonly kind: MovementKind; readonly micros: number }[]
  refused: number
}

const books = new WeakMap<Transaction, Book>()

/** Notes a movement of a transaction: it counts once that is committed. */
export function noteMoved(transaction: Transaction, kind: MovementKind, micros: number): void {
  bookOf(transaction).moved.push({ kind, micros })
}

/** Notes that there were not enough credits for something. It counts whatever becomes of the rest. */
export function noteRefused(transaction: Transaction): void {
  bookOf(transaction).refused += 1
}

function bookOf(transaction: Transaction): Book {
  const known = books.get(transaction) ?? { moved: [], refused: 0 }
  books.set(transaction, known)
  return known
}

/** A store whose movements of credits are counted, in credits, by their kind. */
export function countingCredits(store: Store, metrics: Metrics): Store {
  const moved = metrics.counter('nuncio_credits_moved_total', 'Credits moved, by why.')
  const refusals = metrics.counter(
    'nuncio_credits_refused_total',
    'Times that an account had not enough credits.',
  )
  return {
    ...store,
    transact: (work, pace) => {
      let run: Transaction | null = null
      const ran = store.transact((transaction) => {
        // Where it is run again, what it did before is undone.
        run = transaction
        return work(transaction)
      }, pace)
      const count = (isDone: boolean): void => {
        const { moved: noted, refused } = (run && books.get(run)) ?? nothing
        if (refused > 0) refusals.add({}, refused)
        if (!isDone) return
        for (const { kind, micros } of noted) {
          moved.add({ kind }, Math.abs(micros) / microsPerCredit)
        }
      }
      ran.then(
        () => count(true),
        () => count(false),
      )
      return ran
    },
  }
}

const nothing: Readonly<Book> = { moved: [], refused: 0 }
