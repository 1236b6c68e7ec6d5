import type { AccountId } from '../../core/account.ts'
import type { JsonObject } from '../../core/json.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Rules } from '../../core/declaration/rules.ts'
import {
  answerWith,
  checkParent,
  type OperationResponse,
  type Engine,
  type EngineOperation,
  type OperationRequest,
} from '../operation.ts'
import { keepAnswer, replay } from '../idempotency.ts'
import { readInput } from '../input.ts'
import { homeOf, ownerOf } from '../account-reach.ts'
import { write } from '../write.ts'

/** Creates an instance with a new identifier: POST /v1/{collection}. */
export const create: EngineOperation = (request, engine) =>
  andThen(homeOf(request, engine), (home) =>
    andThen(workAhead(request, home, engine), ({ replayed, ahead }) => {
      if (replayed !== null) return replayed
      const work = (transaction: Transaction) => make(request, home, ahead, transaction, engine)
      return engine.store.transact(work, 'TOGETHER', engine.store.shardOf(home))
    }),
  )

async function make(
  request: OperationRequest,
  home: AccountId,
  ahead: JsonObject | null,
  transaction: Transaction,
  engine: Engine,
): Promise<OperationResponse> {
  const { compiled } = request
  const here = transaction.in(home)
  if (request.parent !== null) await checkParent(request, here)
  const replayed = request.idempotency === null ? null : await replay(request, here, engine)
  if (replayed !== null) return replayed

  const body = request.body()
  const given = readInput(compiled, body)
  const { account, input } = await ownerOf(request, given, home, transaction, engine)
  const writer = transaction.in(account)
  const id = engine.newId(compiled.declared.noun)
  const wanted = { id, method: 'POST', stored: null, body, input, ahead } as const
  const { stored, reveal } = await write(request, wanted, transaction, writer, engine)

  const location = `${request.path}/${stored.id}`
  const answer = (shown: JsonObject): MaybePromise<OperationResponse> =>
    andThen(answerWith(201, compiled, stored, shown, writer, engine), (made) => ({
      ...made,
      headers: { ...made.headers, location },
    }))
  // A secret is shown once: the response stored for repeated requests lacks it.
  if (request.idempotency !== null) await keepAnswer(request, await answer({}), here, engine)
  return answer(reveal)
}

/** The results of the steps before a transaction, or the stored response to the same request. */
interface ProposedWrite {
  readonly replayed: OperationResponse | null
  readonly ahead: JsonObject | null
}

const nothing: ProposedWrite = { replayed: null, ahead: null }

/**
 * Runs the collection's rules that would be too slow inside a transaction. All checks of a POST
 * come first, so a refused request has no effect.
 */
function workAhead(
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
