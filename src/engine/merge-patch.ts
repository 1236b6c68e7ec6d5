import { isJsonObject, type JsonValue } from '../core/json.ts'

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
