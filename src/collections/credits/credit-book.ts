import type { Metrics } from '../../core/ports/metrics.ts'
import type { Store, Transaction } from '../../core/ports/store.ts'
import { microsPerCredit } from '../../core/ports/credits.ts'
import { movementKinds, type MovementKind } from './credit-movements.ts'

/** Credit changes of a transaction, counted when it ends. Few transactions have any. */
interface Book {
  readonly moved: { readonly kind: MovementKind; readonly micros: number }[]
  refused: number
}

const books = new WeakMap<Transaction, Book>()

/** Notes a movement of a transaction: it counts once that is committed. */
export function noteMoved(transaction: Transaction, kind: MovementKind, micros: number): void {
  bookOf(transaction).moved.push({ kind, micros })
}

/** Counts a refusal for lack of credits, even if the transaction fails. */
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
  return {
    ...store,
    transact: (work, pace, shard) => {
      let run: Transaction | null = null
      const ran = store.transact(
        (transaction) => {
          // A second run of the transaction starts from zero: the first one was rolled back.
          run = transaction
          return work(transaction)
        },
        pace,
        shard,
      )
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

/** OPENING sums up movements that were counted before. */
const counted = movementKinds.filter((kind) => kind !== 'OPENING')

const nothing: Readonly<Book> = { moved: [], refused: 0 }
