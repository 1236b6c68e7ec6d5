import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import type { Transaction } from '../../core/ports/store.ts'
import {
  answerToChange,
  checkParent,
  notFound,
  type EngineOperation,
  type OperationResponse,
} from '../operation.ts'
import type { Compiled } from '../compiled.ts'
import { checkWrite, requireCondition } from '../conditions.ts'
import { readInput } from '../input.ts'
import { homeOf } from '../account-reach.ts'
import { parseStored, write } from '../write.ts'

/** Changes the fields that a JSON Merge Patch (RFC 7396) names: PATCH /v1/{collection}/{id}. */
export const patch: EngineOperation = async (request, engine) => {
  const { compiled, id, conditions } = request
  const home = await homeOf(request, engine)

  const { store } = engine
  const work = async (transaction: Transaction): Promise<OperationResponse> => {
    const writer = transaction.in(home)
    await checkParent(request, writer)
    const key = { id, parent: request.parent?.id ?? null }
    const stored = await writer.find(compiled.declared, key)
    if (stored === null) throw notFound(compiled, id)
    requireCondition(conditions, compiled.declared.conditional)
    checkWrite(conditions, stored.revision)

    const body = request.body()
    const { instance, hidden } = parseStored(stored)
    const input = readInput(compiled, patched(compiled, instance, body), hidden)
    const wanted = { id, method: 'PATCH', stored, body, input } as const
    const written = await write(request, wanted, transaction, writer, engine)
    return answerToChange(request, written.stored, written.reveal, writer, engine)
  }
  return store.transact(work, 'TOGETHER', store.shardOf(home))
}

/** Returns the patched instance as a client would PUT it, with the write-only fields of the patch. */
function patched(compiled: Compiled, before: JsonObject, body: JsonObject): JsonObject {
  const merged = mergePatch(before, body)
  const given = Object.entries(body).filter(
    // A field that there is not is no less a mistake where the patch removes it.
    ([name]) => !Object.hasOwn(compiled.known, name) || compiled.known[name]?.writeOnly === true,
  )
  return { ...(isJsonObject(merged) ? merged : {}), ...Object.fromEntries(given) }
}

/** Applies a JSON Merge Patch (RFC 7396): null removes a member, objects merge, all else replaces. */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch
  const merged = new Map<string, JsonValue>(isJsonObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, mergePatch(merged.get(name), value))
  }
  return Object.fromEntries(merged)
}
