import type { AccountId } from '../core/account.ts'
import { qualifiedName } from '../core/declaration/collection.ts'
import type { JsonObject } from '../core/json.ts'
import type { Rules } from '../core/declaration/rules.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import { replay } from './idempotency.ts'
import { readInput } from './input.ts'
import {
  checkParent,
  type OperationResponse,
  type Engine,
  type OperationRequest,
} from './operation.ts'

/** The results of the steps before a transaction, or the stored response to the same request. */
export interface ProposedWrite {
  readonly replayed: OperationResponse | null
  readonly ahead: JsonObject | null
}

const nothing: ProposedWrite = { replayed: null, ahead: null }

/**
 * Runs the collection's rules that would be too slow inside a transaction. All checks of a POST
 * come first, so a refused request has no effect.
 */
export function workAhead(
  request: OperationRequest,
  home: AccountId,
  engine: Engine,
): MaybePromise<ProposedWrite> {
  const work = engine.rules[qualifiedName(request.compiled.declared)]?.ahead
  return work === undefined ? nothing : doAhead(request, home, engine, work)
}

async function doAhead(
  request: OperationRequest,
  home: AccountId,
  engine: Engine,
  work: NonNullable<Rules['ahead']>,
): Promise<ProposedWrite> {
  const { compiled, parent } = request
  const seen = await engine.store.transact(async (transaction) => {
    const writer = transaction.in(home)
    await checkParent(request, writer)
    return {
      replayed: await replay(request, writer, engine),
      within: parent && (await writer.find(parent.compiled.declared, { id: parent.id })),
    }
  })
  if (seen.replayed !== null) return { replayed: seen.replayed, ahead: null }
  const { values: input, errors } = readInput(compiled, request.body())
  if (errors.length > 0) return nothing
  return { replayed: null, ahead: await work({ input, parent: seen.within }) }
}
