import { reachOf } from '../account-reach.ts'
import {
  answerToRead,
  checkParent,
  type EngineOperation,
  type OperationRequest,
  type Engine,
} from '../operation.ts'
import { list } from './list.ts'
import { shownBy } from './members.ts'

/** Reads one instance: GET /v1/{collection}/{id}. Responds 304 if the client has it already. */
export const read: EngineOperation = (request, engine) => {
  const { compiled, id, parent } = request
  return engine.store.read(reachOf(request), async (reader) => {
    if (parent !== null) await checkParent(request, reader)
    const stored = await reader.find(compiled.declared, { id, parent: parent?.id ?? null })
    return answerToRead(request, compiled, stored, reader, engine)
  })
}

/** Lists the instances nested in the account of the request: GET /v1/{collection}. */
export const listOwn: EngineOperation = async (request, engine) =>
  list(inOwn(request, engine), engine)

/** Reads one of the instances nested in the account of the request: GET /v1/{collection}/{id}. */
export const readOwn: EngineOperation = async (request, engine) =>
  read(inOwn(request, engine), engine)

/** Returns the same request below the account that contains the instances. */
function inOwn(request: OperationRequest, engine: Engine): OperationRequest {
  const compiled = shownBy(request, engine)
  const above = engine.catalogue.find(compiled.declared.parent ?? '')
  if (above === null) throw new Error(`${compiled.declared.name} are nested in nothing`)
  return { ...request, compiled, parent: { compiled: above, id: request.principal.account } }
}
