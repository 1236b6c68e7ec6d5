import type { Collection } from '../core/declaration/collection.ts'
import type { Field, Fields } from '../core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'

/**
 * Returns an instance in the form of the present declaration: missing fields get their default or null,
 * and undeclared fields are removed. The members have the order of the declaration.
 */
export function completed({ fields }: Collection, instance: JsonObject): JsonObject {
  const { id = null, createdAt = null, updatedAt = null } = instance
  return { id, ...completeFields(servedFields(fields), instance), createdAt, updatedAt }
}

/** Returns the hidden fields without undeclared ones; null if none is left. */
export function completedHidden(
  { fields }: Collection,
  hidden: JsonObject | null,
): JsonObject | null {
  const kept = Object.entries(hidden ?? {}).filter(
    ([name]) => Object.hasOwn(fields, name) && isHidden(fields[name]),
  )
  return kept.length === 0 ? null : Object.fromEntries(kept)
}

/** Returns the fields of the served text. */
function servedFields(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, field]) => !isHidden(field) && field.live !== true),
  )
}

/** Returns true if a field is stored in the hidden text. */
export function isHidden(field: Field | undefined): boolean {
  return field?.writeOnly === true || field?.internal === true
}

function completeFields(fields: Fields, object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      Object.hasOwn(object, name) ? complete(field, object[name] ?? null) : (field.default ?? null),
    ]),
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
