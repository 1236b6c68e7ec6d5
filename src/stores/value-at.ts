import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'

/** The value that a path of names leads to; null where there is none. */
export function valueAt(object: JsonObject | null, path: readonly string[]): JsonValue {
  let value: JsonValue = object
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return null
    value = value[name] ?? null
  }
  return value
}
