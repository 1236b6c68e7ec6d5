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

/** What was done ahead of a transaction; or the answer that was given to the same request before. */
export interface ProposedWrite {
  readonly kept: OperationResponse | null
  readonly ahead: JsonObject | null
}

const nothing: ProposedWrite = { kept: null, ahead: null }

/**
 * Lets the rules of a collection do what must not be waited for inside a transaction. All checks of
 * a POST come first, so that nothing is done for a request that is refused.
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
      kept: await replay(request, writer, engine),
      within: parent && (await writer.find(parent.compiled.declared, { id: parent.id })),
    }
  })
  if (seen.kept !== null) return { kept: seen.kept, ahead: null }
  const { values: input, errors } = readInput(compiled, request.body())
  if (errors.length > 0) return nothing
  return { kept: null, ahead: await work({ input, parent: seen.within }) }
}
