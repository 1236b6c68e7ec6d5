import { type Collection, qualifiedName } from '../../core/declaration/collection.ts'
import type { Field, Fields } from '../../core/declaration/field.ts'
import type { Version, VersionChange } from '../../core/declaration/version.ts'
import type { JsonObject } from '../../core/json.ts'
import type { OpenApiOptions } from '../open-api.ts'
import type { GivenExample } from '../schemas/examples.ts'
import { type FieldChange, fieldsBefore } from './fields-before.ts'

/**
 * Describes each version by reverting the changes of all later ones from the newest. The versions
 * are in order, the oldest first.
 */
export function versionsDescribed(
  newest: DescribedApi,
  declared: readonly Version[],
): ReadonlyMap<string, DescribedApi> {
  const result = new Map<string, DescribedApi>()
  let described = newest
  for (const version of declared.toReversed()) {
    const { name, deprecatedAt, sunsetAt } = version
    const successor = declared.at(-1)?.name ?? name
    const ending = deprecatedAt === undefined ? null : { deprecatedAt, sunsetAt, successor }
    result.set(name, {
      ...described,
      options: { ...described.options, version: name, ending },
    })
    described = version.changes.toReversed().reduce(beforeChange, described)
  }
  return result
}

/** Takes a change back: what a version describes, from what the version after it does. */
function beforeChange(described: DescribedApi, change: VersionChange): DescribedApi {
  switch (change.kind) {
    case 'collectionRenamed':
      return renameCollection(described, change.to, change.from)
    case 'collectionAdded':
      return {
        ...described,
        collections: described.collections.filter(
          (each) => !isWithin(qualifiedName(each), change.collection),
        ),
      }
    default: {
      const after = described.collections.find((each) => qualifiedName(each) === change.collection)
      if (after === undefined) return described
      const before = fieldsBefore(after, change)
      return {
        collections: described.collections.map((each) => (each === after ? before : each)),
        options: documentationBefore(described.options, change, before),
      }
    }
  }
}

function isWithin(name: string, collection: string): boolean {
  return name === collection || name.startsWith(`${collection}/`)
}

/** Renames a collection, including its nested collections, members and references. */
function renameCollection(
  { collections, options }: DescribedApi,
  from: string,
  to: string,
): DescribedApi {
  const named = (name: string): string =>
    name === from || name.startsWith(`${from}/`) ? to + name.slice(from.length) : name
  return {
    collections: collections.map((each) => renamed(each, from, to, named)),
    options: renamedOptions(options, named),
  }
}

function renamed(
  collection: Collection,
  from: string,
  to: string,
  named: (name: string) => string,
): Collection {
  const { name, parent, membersOf, fields } = collection
  const [own = '', below] = from.split('/')
  const isNested = below !== undefined && parent === own && name === below
  const isRoot = below === undefined && parent === null && name === own
  return {
    ...collection,
    name: isNested || isRoot ? (to.split('/').at(-1) ?? name) : name,
    parent: parent === null ? null : named(parent),
    membersOf: membersOf === null ? null : named(membersOf),
    fields: referring(fields, named),
  }
}

function referring(fields: Fields, named: (name: string) => string): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, referringField(field, named)]),
  )
}

function referringField(field: Field, named: (name: string) => string): Field {
  switch (field.kind) {
    case 'reference':
      return { ...field, collection: named(field.collection) }
    case 'object':
      return { ...field, properties: referring(field.properties, named) }
    case 'array':
      return { ...field, items: referringField(field.items, named) }
    case 'map':
      return { ...field, values: referringField(field.values, named) }
    default:
      return field
  }
}

function renamedOptions(options: OpenApiOptions, named: (name: string) => string): OpenApiOptions {
  const keyed = <T>(group: Readonly<Record<string, T>>): Readonly<Record<string, T>> =>
    Object.fromEntries(Object.entries(group).map(([name, value]) => [named(name), value]))
  return {
    ...options,
    reveals: keyed(options.reveals),
    remarks: keyed(options.remarks),
    examples: keyed(options.examples),
    notifications: {
      ...options.notifications,
      collection: named(options.notifications.collection),
    },
  }
}

/** Inputs of a document, without the version. */
export interface DescribedApi {
  readonly collections: readonly Collection[]
  readonly options: OpenApiOptions
}

/** Returns the documentation in the words of the version before a change of a field. */
function documentationBefore(
  options: OpenApiOptions,
  change: FieldChange,
  before: Collection,
): OpenApiOptions {
  const name = qualifiedName(before)
  const { examples, notifications } = options
  const given = examples[name]
  return {
    ...options,
    examples:
      given === undefined ? examples : { ...examples, [name]: exampleBefore(given, change) },
    notifications:
      notifications.collection === name
        ? { ...notifications, fields: namesBefore(notifications.fields, change, true) }
        : notifications,
  }
}

function exampleBefore({ instance, input }: GivenExample, change: FieldChange): GivenExample {
  return {
    instance: instanceBefore(instance, change),
    input: namesBefore(input, change, false),
  }
}

/**
 * Returns the field names of the earlier version. With `shown`, a field that was removed since is
 * the last one.
 */
function namesBefore(
  names: readonly string[],
  change: FieldChange,
  shown: boolean,
): readonly string[] {
  switch (change.kind) {
    case 'fieldRenamed':
      return names.map((name) => (name === change.to ? change.from : name))
    case 'fieldAdded':
      return names.filter((name) => name !== change.field)
    case 'fieldRemoved':
      return shown ? [...names, change.field] : names
    case 'fieldChanged':
      return names
  }
}

function instanceBefore(instance: JsonObject, change: FieldChange): JsonObject {
  switch (change.kind) {
    case 'fieldRenamed': {
      const { [change.to]: value, ...rest } = instance
      return value === undefined ? instance : { ...rest, [change.from]: value }
    }
    case 'fieldAdded': {
      const { [change.field]: _, ...rest } = instance
      return rest
    }
    case 'fieldRemoved':
      return { ...instance, [change.field]: change.value }
    case 'fieldChanged': {
      const value = instance[change.field]
      return value === undefined ? instance : { ...instance, [change.field]: change.down(value) }
    }
  }
}
