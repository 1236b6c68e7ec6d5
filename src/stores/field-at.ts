import type { Collection } from '../core/declaration/collection.ts'
import type { Field, Fields } from '../core/declaration/field.ts'
import { isHidden } from './complete.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'

/** The location and the kind of the value at a path. */
export interface PlacedField {
  /** The served text or the hidden one. */
  readonly source: 'doc' | 'hidden'
  readonly kind: Field['kind']
  /** The kind of an array's elements. */
  readonly elements: Field['kind'] | null
}

/** Finds the field of a path. Throws if the declaration lacks it: queries were checked before. */
export function fieldAt(collection: Collection, path: readonly string[]): PlacedField {
  const [name, ...rest] = path
  const builtIn = name === undefined || rest.length > 0 ? undefined : everywhere[name]
  if (builtIn !== undefined) return builtIn

  let field = name === undefined ? undefined : member(collection.fields, name)
  let hidden = isHidden(field)
  for (const step of rest) {
    field = inside(field, step)
    hidden ||= isHidden(field)
  }
  if (field === undefined) throw new Error(`${collection.name} has no field ${path.join('.')}`)
  return {
    source: hidden ? 'hidden' : 'doc',
    kind: field.kind,
    elements: field.kind === 'array' ? field.items.kind : null,
  }
}

/** The fields of every collection. */
const everywhere: Readonly<Record<string, PlacedField>> = {
  id: { source: 'doc', kind: 'text', elements: null },
  createdAt: { source: 'doc', kind: 'timestamp', elements: null },
  updatedAt: { source: 'doc', kind: 'timestamp', elements: null },
}

function inside(field: Field | undefined, name: string): Field | undefined {
  if (field?.kind === 'object') return member(field.properties, name)
  return field?.kind === 'map' ? field.values : undefined
}

function member(fields: Fields, name: string): Field | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined
}

/** Returns the value at a path of names; null if there is none. */
export function valueAt(object: JsonObject | null, path: readonly string[]): JsonValue {
  let value: JsonValue = object
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return null
    value = value[name] ?? null
  }
  return value
}
