import type { JsonObject } from '../../core/json.ts'
import { workAhead } from '../ahead.ts'
import { answerWith } from '../answer.ts'
import { keepAnswer, replay } from '../idempotency.ts'
import { readInput } from '../input.ts'
import { checkParent, homeOf, type Operation } from '../operation.ts'
import { ownerOf } from '../owner.ts'
import { write } from '../write.ts'

/** POST /v1/{collection}: makes an instance under a new identifier. */
export const create: Operation = async (request, engine) => {
  const { compiled } = request
  const home = await homeOf(request, engine)
  const { kept: known, ahead } = await workAhead(request, home, engine)
  if (known !== null) return known

  return engine.store.transact(async (transaction) => {
    const here = transaction.in(home)
    if (request.parent !== null) await checkParent(request, here)
    const kept = request.idempotency === null ? null : await replay(request, here, engine)
    if (kept !== null) return kept

    const body = request.body()
    const input = readInput(compiled, body)
    const owner = await ownerOf(request, input, home, transaction, engine)
    const writer = transaction.in(owner.account)
    const id = engine.newId(compiled.declared.noun)
    const wanted = { id, method: 'POST', stored: null, body, input: owner.input, ahead } as const
    const { stored, reveal } = await write(request, wanted, transaction, writer, engine)

    const location = `${request.path}/${stored.id}`
    const answer = async (shown: JsonObject) => {
      const { headers, ...rest } = await answerWith(201, compiled, stored, shown, writer, engine)
      return { ...rest, headers: { ...headers, location } }
    }
    // A secret is shown once: the answer that is kept for a repetition is without it.
    if (request.idempotency !== null) await keepAnswer(request, await answer({}), here, engine)
    return answer(reveal)
  }, 'TOGETHER')
}
