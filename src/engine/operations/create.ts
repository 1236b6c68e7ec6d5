import type { AccountId } from '../../core/account.ts'
import type { JsonObject } from '../../core/json.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import type { Transaction } from '../../core/ports/store.ts'
import { workAhead } from '../proposed-write.ts'
import { answerWith } from '../instance-response.ts'
import { keepAnswer, replay } from '../idempotency.ts'
import { readInput } from '../input.ts'
import {
  checkParent,
  homeOf,
  type OperationResponse,
  type Engine,
  type EngineOperation,
  type OperationRequest,
} from '../operation.ts'
import { ownerOf } from '../owner.ts'
import { write } from '../write.ts'

/** Creates an instance with a new identifier: POST /v1/{collection}. */
export const create: EngineOperation = (request, engine) =>
  andThen(homeOf(request, engine), (home) =>
    andThen(workAhead(request, home, engine), ({ replayed, ahead }) => {
      if (replayed !== null) return replayed
      const work = (transaction: Transaction) => make(request, home, ahead, transaction, engine)
      return engine.store.transact(work, 'TOGETHER')
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
