import { qualifiedName } from '../core/declaration/collection.ts'
import { Problem } from '../core/problem.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import type { Store, Transaction } from '../core/ports/store.ts'
import type { Compiled } from './compiled.ts'
import type { OperationResponse, EngineOperation } from './operation.ts'

/**
 * Makes of an operation that writes one that only shows: it does all that the operation does, in a
 * transaction that is then undone. The answer is 200 with the instance as it would be, or 204 where it
 * would be removed; a new one would get another identifier. An idempotency key is neither looked up nor
 * kept. Throws `invalid-request` where what is to be done leaves the service and cannot be undone.
 */
export function dryRun(operation: EngineOperation): EngineOperation {
  return async (request, engine) => {
    const rules = withoutAhead(engine.rules, request.compiled)
    const rehearsal = { ...engine, store: undoing(engine.store), rules }
    const answer = await operation({ ...request, idempotency: null }, rehearsal)
    return shown(answer)
  }
}

/** What rules do ahead of a transaction is refused when all checks have passed: nothing undoes it. */
function withoutAhead(rules: RuleBook, { declared }: Compiled): RuleBook {
  const name = qualifiedName(declared)
  const own = rules[name]
  if (own?.ahead === undefined) return rules
  const ahead = async (): Promise<never> => {
    const what = `A new ${declared.noun} is a request to another server, and a dry run sends none.`
    throw new Problem('invalid-request', `${what} Leave out Prefer: handling=dry-run.`)
  }
  return { ...rules, [name]: { ...own, ahead } }
}

/** There is nothing under its address, and no entity tag that a condition could be about. */
function shown({ status, body }: OperationResponse): OperationResponse {
  const headers = { 'preference-applied': 'handling=dry-run' }
  return { status: status === 201 ? 200 : status, headers, body }
}

/** A store that undoes each of its transactions, and fulfils their promises all the same. */
function undoing(store: Store): Store {
  return {
    ...store,
    async transact<T>(work: (transaction: Transaction) => MaybePromise<T>): Promise<T> {
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
