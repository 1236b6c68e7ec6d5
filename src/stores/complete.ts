import type { Collection } from '../core/declaration/collection.ts'
import type { Field, Fields } from '../core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'

/**
 * An instance as its declaration has it now: fields that it lacks have their default, else null;
 * what is declared no more is gone. The order of the members is that of the declaration.
 */
export function completed({ fields }: Collection, instance: JsonObject): JsonObject {
  const { id = null, createdAt = null, updatedAt = null } = instance
  return { id, ...completeFields(servedFields(fields), instance), createdAt, updatedAt }
}

/** What is kept beside an instance, without what is declared no more; null where nothing is left. */
export function completedHidden(
  { fields }: Collection,
  hidden: JsonObject | null,
): JsonObject | null {
  const kept = Object.entries(hidden ?? {}).filter(
    ([name]) => Object.hasOwn(fields, name) && isHidden(fields[name]),
  )
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** The fields that stand in the text that is served. */
function servedFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, field]) => !isHidden(field) && field.live !== true),
  )
}

/** Whether a field stands beside the text that is served. */
export function isHidden(field: Field | undefined): boolean {
  return field?.writeOnly === true || field?.internal === true
}

function completeFields(fields: Fields, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (Object.hasOwn(object, name)) return [[name, complete(field, object[name] ?? null)]]
      return field.optional === true ? [] : [[name, field.default ?? null]]
    }),
  )
}

function complete(field: Field, value: JsonValue): JsonValue {
  if (field.kind === 'array' && Array.isArray(value)) {
    return value.map((item: JsonValue) => complete(field.items, item))
  }
  if (!isJsonObject(value)) return value
  if (field.kind === 'object') {
    const known = completeFields(field.properties, value)
    return field.open === true ? { ...value, ...known } : known
  }
  if (field.kind !== 'map') return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, complete(field.values, item)]),
  )
}
