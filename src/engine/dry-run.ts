import { qualifiedName } from '../core/declaration/collection.ts'
import { Problem } from '../core/problem.ts'
import type { RuleBook } from '../core/declaration/rules.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import type { Store, Transaction } from '../core/ports/store.ts'
import type { Compiled } from './compiled.ts'
import type { OperationResponse, EngineOperation } from './operation.ts'

/**
 * Returns a write operation that runs in a transaction and then undoes it. The response is 200 with
 * the resulting instance, or 204 for a deletion. A later POST generates another identifier. A dry
 * run neither looks up nor stores an idempotency key. Throws `invalid-request` if the operation has
 * an effect outside the service, which nothing can undo.
 */
export function dryRun(operation: EngineOperation): EngineOperation {
  return async (request, engine) => {
    const rules = withoutAhead(engine.rules, request.compiled)
    const rehearsal = { ...engine, store: undoing(engine.store), rules }
    const answer = await operation({ ...request, idempotency: null }, rehearsal)
    return shown(answer)
  }
}

/** Refuses effects before a transaction once all checks have passed: nothing undoes them. */
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

/** Removes the address and the entity tag: the instance does not exist. */
function shown({ status, body }: OperationResponse): OperationResponse {
  const headers = { 'preference-applied': 'handling=dry-run' }
  return { status: status === 201 ? 200 : status, headers, body }
}

/** Returns a store that undoes each transaction but fulfils its promise. */
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

/** An error that undoes a transaction and carries its result. */
class Undone extends Error {
  override readonly name = 'Undone'
}
