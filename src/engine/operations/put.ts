import { isChosenId } from '../../core/id.ts'
import { Problem } from '../../core/problem.ts'
import type { Transaction } from '../../core/ports/store.ts'
import {
  answerToChange,
  answerWith,
  checkParent,
  type EngineOperation,
  type OperationResponse,
} from '../operation.ts'
import { checkWrite, requireCondition } from '../conditions.ts'
import { readInput } from '../input.ts'
import { homeOf, ownerOf } from '../account-reach.ts'
import { parseHidden, write } from '../write.ts'

/** Replaces an instance, or creates it with the client's identifier: PUT /v1/{collection}/{id}. */
export const put: EngineOperation = async (request, engine) => {
  const { compiled, id, conditions } = request
  const home = await homeOf(request, engine)

  const { store } = engine
  const work = async (transaction: Transaction): Promise<OperationResponse> => {
    const here = transaction.in(home)
    if (request.parent !== null) await checkParent(request, here)
    const key = { id, parent: request.parent?.id ?? null }
    const stored = await here.find(compiled.declared, key)
    requireCondition(conditions, stored !== null && compiled.declared.conditional)
    checkWrite(conditions, stored?.revision ?? null)
    if (stored === null && !isChosenId(id)) throw badId(id)

    const body = request.body()
    const hidden = stored === null ? null : parseHidden(stored)
    const input = readInput(compiled, body, hidden)
    const owner =
      stored === null
        ? await ownerOf(request, input, home, transaction, engine)
        : { account: stored.account, input }
    const writer = transaction.in(owner.account)
    const wanted = { id, method: 'PUT', stored, body, input: owner.input } as const
    const written = await write(request, wanted, transaction, writer, engine)
    return stored === null
      ? answerWith(200, compiled, written.stored, written.reveal, writer, engine)
      : answerToChange(request, written.stored, written.reveal, writer, engine)
  }
  return store.transact(work, 'TOGETHER', store.shardOf(home))
}

function badId(id: string): Problem {
  return new Problem(
    'invalid-id',
    `${JSON.stringify(id)} cannot be an identifier: it takes 1 to 64 of A-Z a-z 0-9 _ . ~ -`,
  )
}
