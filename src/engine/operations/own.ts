import { list } from './list.ts'
import { shownBy } from './members.ts'
import { read } from './read.ts'
import type { Engine, EngineOperation, OperationRequest } from '../operation.ts'

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
