import { type Collection, qualifiedName } from '../core/declaration/collection.ts'
import type { Field, Fields, ReferenceField } from '../core/declaration/field.ts'
import { type JsonObject, isJsonObject, type JsonValue } from '../core/json.ts'
import { fieldReader, pointerToken, type ValueReader } from './field-reader.ts'

/** A collection with all that a request needs of it prepared once, at start. */
export interface Compiled {
  readonly declared: Collection
  /**
   * The fields that a body may contain: the declared ones, and those that the service sets on every
   * instance.
   */
  readonly known: Fields
  /** The stored and served fields in wire order, without those of every instance. */
  readonly stored: readonly string[]
  /** An instance with null in every stored field. Composing starts with a copy of it. */
  readonly blank: JsonObject
  /** Fields that are worked out at each read. */
  readonly live: readonly string[]
  /** All fields that are served, in wire order, `id`, `createdAt` and `updatedAt` included. */
  readonly served: readonly string[]
  /** Fields that a client may set. */
  readonly settable: readonly Settable[]
  /** The collection whose instances it lists as its members; null if it has no members. */
  readonly members: Collection | null
  /** Fields that name an instance of a collection. */
  readonly references: readonly Reference[]
  /** Fields, of any collection, that name an instance of this one. */
  readonly referrers: readonly Referrer[]
}

/** A field that a client may set, with its check. */
export interface Settable {
  readonly name: string
  readonly pointer: string
  readonly field: Field
  readonly read: ValueReader
}

/** Fields of every instance. */
export const common: Fields = {
  id: { kind: 'text', readOnly: true, indexed: true, description: 'Its identifier.' },
  createdAt: { kind: 'timestamp', readOnly: true, description: 'When it was made.' },
  updatedAt: { kind: 'timestamp', readOnly: true, description: 'When it was last changed.' },
}

/** Prepares a collection. `others` are all collections, by qualified name, itself among them. */
export function compile(declared: Collection, others: ReadonlyMap<string, Collection>): Compiled {
  const entries = Object.entries(declared.fields)
  const shown = entries.filter(([, field]) => field.writeOnly !== true && field.internal !== true)
  const stored = shown.filter(([, field]) => field.live !== true).map(([name]) => name)
  return {
    declared,
    known: {
      ...common,
      ...Object.fromEntries(entries.filter(([, field]) => field.internal !== true)),
    },
    stored,
    blank: blankOf(stored),
    live: shown.filter(([, field]) => field.live === true).map(([name]) => name),
    served: ['id', ...shown.map(([name]) => name), 'createdAt', 'updatedAt'],
    settable: entries
      .filter(([, field]) => field.readOnly !== true && field.internal !== true)
      .map(([name, field]) => ({
        name,
        pointer: `/${pointerToken(name)}`,
        field,
        read: fieldReader(field),
      })),
    members: others.get(declared.membersOf ?? '') ?? null,
    references: referencesIn(declared, others),
    referrers: referrersTo(declared, others),
  }
}

/**
 * Returns an object parsed from JSON. V8 stores an object that grew by computed names as a table;
 * each copy of it takes 4 µs. A copy of a parsed object takes a tenth.
 */
function blankOf(stored: readonly string[]): JsonObject {
  const names = ['id', ...stored, 'createdAt', 'updatedAt']
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))))
}

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
function referencesIn(
  declared: Collection,
  others: ReadonlyMap<string, Collection>,
): readonly Reference[] {
  return Object.entries(declared.fields).flatMap(([name, field]) => inField(field, [name], others))
}

/** Returns the references to a collection from all collections. */
function referrersTo(
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
