import { entityTag, isNotModified } from '../conditions.ts'
import { checkParent, notFound, reachOf, type Operation } from '../operation.ts'
import { readInstanceRequest } from '../query/query-parameters.ts'
import { pick, renderOne } from '../render.ts'

/** GET /v1/{collection}/{id}: one instance, or 304 where the client has it already. */
export const read: Operation = (request, engine) =>
  engine.store.read(reachOf(request), async (reader) => {
    if (request.parent !== null) await checkParent(request, reader)
    const { compiled, id, conditions } = request
    const key = { id, parent: request.parent?.id ?? null }
    const stored = await reader.find(compiled.declared, key)
    if (stored === null) throw notFound(compiled, id)
    const fields = readInstanceRequest(compiled, request.parameters)

    const { text, revision } = await renderOne(compiled, stored, reader, engine)
    const headers = { etag: entityTag(revision) }
    if (isNotModified(conditions, revision)) return { status: 304, headers, body: null }
    return { status: 200, headers, body: fields === null ? text : pick(text, fields) }
  })
