import type { Collection } from '../../core/declaration/collection.ts'
import type { Field, Fields } from '../../core/declaration/field.ts'
import type { OpenApiOptions } from '../open-api.ts'

/** Renames a collection, including its nested collections, members and references. */
export function renameCollection(
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
