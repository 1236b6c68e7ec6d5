import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import type { Stored } from '../../core/ports/store.ts'
import { entityTag, isNotModified } from '../conditions.ts'
import {
  checkParent,
  notFound,
  reachOf,
  type OperationResponse,
  type EngineOperation,
  type OperationRequest,
  type Engine,
} from '../operation.ts'
import { readInstanceRequest } from '../query/query-parameters.ts'
import { pick, type Rendered, renderOne } from '../instance-response.ts'
import { list } from './list.ts'
import { shownBy } from './members.ts'

/** Reads one instance: GET /v1/{collection}/{id}. Responds 304 if the client has it already. */
export const read: EngineOperation = (request, engine) => {
  const { compiled, id, parent } = request
  return engine.store.read(reachOf(request), async (reader) => {
    if (parent !== null) await checkParent(request, reader)
    const stored = await reader.find(compiled.declared, { id, parent: parent?.id ?? null })
    return answerTo(request, stored, (found) => renderOne(compiled, found, reader, engine))
  })
}

/** Returns the response with the instance, which is rendered after all checks of the request. */
function answerTo(
  { compiled, id, conditions, parameters }: OperationRequest,
  stored: Stored | null,
  rendering: (stored: Stored) => MaybePromise<Rendered>,
): MaybePromise<OperationResponse> {
  if (stored === null) throw notFound(compiled, id)
  const fields = readInstanceRequest(compiled, parameters)
  return andThen(rendering(stored), ({ text, revision }) => {
    const headers = { etag: entityTag(revision) }
    if (isNotModified(conditions, revision)) return { status: 304, headers, body: null }
    return { status: 200, headers, body: fields === null ? text : pick(text, fields) }
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
