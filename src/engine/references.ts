import { qualifiedName, type Collection } from '../core/declaration/collection.ts'
import type { Field, ReferenceField } from '../core/declaration/field.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'
import { pointerToken } from './field-reader.ts'

/** A field that names an instance of a collection, or a list of fields that do. */
export interface Reference {
  /** The names that lead to the field, through objects. */
  readonly path: readonly string[]
  readonly target: Collection
  readonly onDelete: NonNullable<ReferenceField['onDelete']>
}

/** A reference, and the collection that contains it. */
export interface Referrer extends Reference {
  readonly declared: Collection
}

/** Returns the references of a collection. `others` are all collections by qualified name. */
export function referencesIn(
  declared: Collection,
  others: ReadonlyMap<string, Collection>,
): readonly Reference[] {
  return Object.entries(declared.fields).flatMap(([name, field]) => inField(field, [name], others))
}

/** Returns the references to a collection from all collections. */
export function referrersTo(
  target: Collection,
  all: ReadonlyMap<string, Collection>,
): readonly Referrer[] {
  return [...all.values()].flatMap((declared) =>
    referencesIn(declared, all)
      .filter((reference) => qualifiedName(reference.target) === qualifiedName(target))
      .map((reference) => ({ ...reference, declared })),
  )
}

/** Returns the identifiers in a reference of an instance, or of a client's input. */
export function namedBy(
  { path }: Reference,
  instance: JsonObject,
): readonly { readonly id: string; readonly pointer: string }[] {
  let value: JsonValue | undefined = instance
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined
  const pointer = path.map((name) => `/${pointerToken(name)}`).join('')
  const items: readonly JsonValue[] = Array.isArray(value) ? value : []
  if (typeof value === 'string') return [{ id: value, pointer }]
  return items.flatMap((id, index) =>
    typeof id === 'string' ? [{ id, pointer: `${pointer}/${index}` }] : [],
  )
}

function inField(
  field: Field,
  path: readonly string[],
  others: ReadonlyMap<string, Collection>,
): readonly Reference[] {
  if (field.kind === 'object') {
    return Object.entries(field.properties).flatMap(([name, inner]) =>
      inField(inner, [...path, name], others),
    )
  }
  const named = field.kind === 'array' ? field.items : field
  if (named.kind !== 'reference') return []
  const target = others.get(named.collection)
  return target === undefined ? [] : [{ path, target, onDelete: named.onDelete ?? 'restrict' }]
}
