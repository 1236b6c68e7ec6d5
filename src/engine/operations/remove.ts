import { checkWrite, requireCondition } from '../conditions.ts'
import { checkParent, homeOf, notFound, type EngineOperation } from '../operation.ts'
import { recordChange } from '../audit.ts'
import { removeInstance } from '../removal.ts'

/** Removes an instance and those nested in it: DELETE /v1/{collection}/{id}. */
export const remove: EngineOperation = async (request, engine) => {
  const { compiled, id, conditions, principal, version } = request
  const { clock, newId } = engine
  const home = await homeOf(request, engine)

  return engine.store.transact(async (transaction) => {
    const writer = transaction.in(home)
    await checkParent(request, writer)
    const key = { id, parent: request.parent?.id ?? null }
    const stored = await writer.find(compiled.declared, key)
    if (stored === null) throw notFound(compiled, id)
    requireCondition(conditions, compiled.declared.conditional)
    checkWrite(conditions, stored.revision)

    const context = { principal, version, clock, newId, writer, transaction }
    await removeInstance(compiled, stored, context, engine)
    const removed = { declared: compiled.declared, action: 'DELETED', ...key, fields: [] } as const
    await recordChange(request, removed, writer, engine)
    return { status: 204, headers: {}, body: null }
  })
}
