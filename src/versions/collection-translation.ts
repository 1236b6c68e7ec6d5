import { type JsonObject, type JsonValue } from '../core/json.ts'
import type { VersionChange } from '../core/declaration/version.ts'

/** A field as an older version knows it. */
interface OldField {
  readonly old: string
  /** Its name in the newest version; null if that has no such field. */
  readonly now: string | null
  readonly up: (value: JsonValue) => JsonValue
  readonly down: (value: JsonValue) => JsonValue
  /**
   * Returns whether a value has this name in the older version. Later values have another name
   * there.
   */
  readonly has: (value: JsonValue) => boolean
  readonly isChoice: boolean
}

/**
 * Marks a name or a value that the older version does not have. No field begins with it, so the
 * newest version does not accept it.
 */
export const unknownMark = '!'

/** The names of one collection's fields in an older version, and the translation of their values. */
export interface CollectionTranslation {
  /** The collection's qualified name in the older version. */
  readonly old: string
  /** Fields of the newest version that the older one does not know: its writes leave them alone. */
  readonly unknown: readonly string[]
  /** The names of its fields in the older version. */
  readonly names: readonly string[]
  /** Fields that only the older version has. Their values never change. */
  readonly gone: readonly string[]
  /** Translates a body to the newest version. */
  bodyUp(body: JsonObject): JsonObject
  /** Translates an instance to the older version. */
  instanceDown(instance: JsonObject): JsonObject
  /** Translates a field name with its suffix (`.type`, `_gte`) to the newest version. */
  nameUp(name: string): string
  /** Translates the value of a filter on a field of this name. */
  valueUp(name: string, value: string): string
  /** Translates a field name with its suffix to the older version. */
  nameDown(name: string): string
  /** Translates a text of a field, by its name with its suffix, to the older version. */
  valueDown(name: string, value: string): string
}

const same = (value: JsonValue): JsonValue => value
const always = (): boolean => true

/**
 * Makes the translation of one collection. `served` are the names of its fields in the newest version,
 * `choices` those of them that are choices, `steps` the changes of each later version that concern it,
 * the newest version's first.
 */
export function collectionTranslation(
  old: string,
  [served, choices]: readonly [served: readonly string[], choices: ReadonlySet<string>],
  steps: readonly VersionChange[],
): CollectionTranslation {
  const newest = served.map((name): OldField => {
    const isChoice = choices.has(name)
    return { old: name, now: name, up: same, down: same, has: always, isChoice }
  })
  const fields = steps.reduce(stepBack, newest)
  const byOld = new Map(fields.map((field) => [field.old, field]))
  const byNow = new Map(fields.flatMap((field) => (field.now === null ? [] : [[field.now, field]])))
  return {
    old,
    unknown: served.filter((name) => !byNow.has(name)),
    names: fields.map(({ old: name }) => name),
    gone: fields.filter(({ now }) => now === null).map(({ old: name }) => name),
    bodyUp: (body) => bodyUp(byOld, body),
    instanceDown: (instance) => instanceDown(fields, instance),
    nameUp: (name) => renamed(name, (head) => byOld.get(head)?.now ?? null) ?? unknownMark + name,
    nameDown: (name) =>
      name.startsWith(unknownMark)
        ? name.slice(unknownMark.length)
        : (renamed(name, (head) => byNow.get(head)?.old ?? null) ?? name),
    valueUp: (name, value) => valueUp(byOld, name, value),
    valueDown: (name, value) => {
      const field = byNow.get(name) ?? byNow.get(name.replace(suffixForm, ''))
      const shown = field?.down(value)
      return typeof shown === 'string' ? shown : value
    },
  }
}

/** Returns the fields before a change, from the fields after it. */
function stepBack(fields: readonly OldField[], change: VersionChange): readonly OldField[] {
  switch (change.kind) {
    case 'fieldRenamed':
      return fields.map((field) =>
        field.old === change.to ? { ...field, old: change.from } : field,
      )
    case 'fieldAdded':
      return fields.filter((field) => field.old !== change.field)
    case 'fieldRemoved': {
      const value = { up: same, down: () => change.value, has: always, isChoice: false }
      const gone = { old: change.field, now: null, ...value }
      const times = fields.findIndex((field) => field.old === 'createdAt')
      return fields.toSpliced(times === -1 ? fields.length : times, 0, gone)
    }
    case 'fieldChanged':
      return fields.map((field) =>
        field.old === change.field
          ? {
              ...field,
              up: (value) => field.up(change.up(value)),
              down: (value) => change.down(field.down(value)),
              has: (value) => !isLater(value, change.later) && field.has(change.up(value)),
            }
          : field,
      )
    case 'collectionRenamed':
    case 'collectionAdded':
      return fields
  }
}

function isLater(value: JsonValue, later: readonly string[] = []): boolean {
  return typeof value === 'string' && later.includes(value)
}

function bodyUp(fields: ReadonlyMap<string, OldField>, body: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]): [string, JsonValue][] => {
      const field = fields.get(name)
      if (field === undefined) return [[unknownMark + name, value]]
      if (field.now === null) return []
      // A choice refuses it; a text may be any.
      const isOdd = field.isChoice && !field.has(value)
      return [[field.now, isOdd ? `${unknownMark}${String(value)}` : field.up(value)]]
    }),
  )
}

/** Translates an instance. A request for some fields only gets no others. */
function instanceDown(fields: readonly OldField[], instance: JsonObject): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ old, now, down }): [string, JsonValue][] => {
      if (now === null) return [[old, down(null)]]
      const value = instance[now]
      return value === undefined ? [] : [[old, down(value)]]
    }),
  )
}

/** Renames the field that a name begins with: `a`, `a.b`, or `a` with the suffix of a comparison. */
function renamed(name: string, translate: (field: string) => string | null): string | null {
  const [head = '', ...rest] = name.split('.')
  const whole = translate(head)
  if (whole !== null || rest.length > 0) return whole && [whole, ...rest].join('.')
  const [suffix = ''] = suffixForm.exec(name) ?? []
  const field = translate(name.slice(0, name.length - suffix.length))
  return field && field + suffix
}

const suffixForm = /_(ne|gte|gt|lte|lt|like|asc|desc)$/

function valueUp(fields: ReadonlyMap<string, OldField>, name: string, value: string): string {
  const head = name.split('.')[0]?.replace(suffixForm, '') ?? name
  const field = fields.get(name) ?? fields.get(head)
  // Under this name the older version shows nothing, so that nothing is equal to it.
  if (field?.has(value) === false && (name === head || name === `${head}_ne`)) {
    return unknownMark + value
  }
  const carried = field?.up(value)
  return typeof carried === 'string' || typeof carried === 'number' || typeof carried === 'boolean'
    ? String(carried)
    : value
}
