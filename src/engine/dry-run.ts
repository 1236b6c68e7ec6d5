import type { Store, Transaction } from '../core/store.ts'
import type { Answer, Operation } from './operation.ts'

/**
 * Makes of an operation that writes one that only shows: it does all that the operation does, in a
 * transaction that is then undone. The answer is 200 with the instance as it would be; a new one
 * would get another identifier. An idempotency key is neither looked up nor kept.
 */
export function dryRun(operation: Operation): Operation {
  return async (request, engine) => {
    const rehearsal = { ...engine, store: undoing(engine.store) }
    const answer = await operation({ ...request, idempotency: null }, rehearsal)
    return shown(answer)
  }
}

/** There is nothing under its address, and no entity tag that a condition could be about. */
function shown({ status, body }: Answer): Answer {
  const headers = { 'preference-applied': 'handling=dry-run' }
  return { status: status === 201 ? 200 : status, headers, body }
}

/** A store that undoes each of its transactions, and fulfils their promises all the same. */
function undoing(store: Store): Store {
  return {
    ...store,
    async transact<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
      const results: T[] = []
      try {
        await store.transact(async (transaction) => {
          results[0] = await work(transaction)
          throw new Undone()
        })
      } catch (error) {
        if (!(error instanceof Undone)) throw error
      }
      for (const result of results) return result
      throw new Error('a transaction was undone before it ended')
    },
  }
}

/** Undoes a transaction whose result is wanted all the same. */
class Undone extends Error {
  override readonly name = 'Undone'
}
