import type { Fields } from '../../core/declaration/field.ts'
import type { JsonValue } from '../../core/json.ts'
import { common, type Compiled } from '../../engine/compiled.ts'
import type { ComponentNames } from '../component-names.ts'
import { refer, type Schema } from '../document.ts'
import { fieldSchema, inputSchema, markdownText } from './field-schema.ts'
import { type CollectionExamples, fieldExample } from './examples.ts'
import {
  dottedName,
  filters,
  type FilterSchema,
  namePattern,
  querySchema,
  valueSchema,
} from './filters.ts'

/** Inputs for the schemas of a collection. */
export interface SchemaSource {
  readonly compiled: Compiled
  /** The collection that this one is nested in, if any. */
  readonly parent: Compiled | null
  readonly names: ComponentNames
  readonly examples: CollectionExamples
  /** Fields that only responses to writes contain. */
  readonly reveals: Fields | undefined
}

/** The schemas of a collection by their names: those that its methods need. */
export function collectionSchemas(source: SchemaSource): Readonly<Record<string, Schema>> {
  const { compiled, names, reveals } = source
  const { collection, instance } = compiled.declared.methods
  const replaces = collection.includes('POST') || instance.includes('PUT')
  const writes = replaces || instance.includes('PATCH')
  const all: readonly (readonly [string, Schema | null])[] = [
    ['', instanceSchema(source)],
    ['Input', replaces ? writtenSchema(source, 'input') : null],
    ['Patch', instance.includes('PATCH') ? writtenSchema(source, 'patch') : null],
    ['Revealed', writes && reveals !== undefined ? revealedSchema(source, reveals) : null],
    ...(collection.includes('GET') ? listSchemas(compiled, source.parent, names) : []),
  ]
  const present = all.filter((entry): entry is [string, Schema] => entry[1] !== null)
  return Object.fromEntries(present.map(([part, schema]) => [names.single + part, schema]))
}

function instanceSchema({ compiled, examples }: SchemaSource): Schema {
  const { declared, served } = compiled
  const properties = served.flatMap((name): [string, Schema][] => {
    const field = Object.hasOwn(common, name) ? common[name] : declared.fields[name]
    return field === undefined ? [] : [[name, fieldSchema(field, 'served')]]
  })
  return {
    type: 'object',
    description: markdownText(declared.description),
    properties: Object.fromEntries(properties),
    required: served,
    ...example(examples.instance),
  }
}

/** Allows a member by its fields or by its identifier alone. */
function named({ members }: Compiled, schema: Schema): Schema {
  const { required, ...rest } = schema
  if (members === null || required === undefined) return schema
  const needing = (names: readonly string[]): Schema => ({
    properties: Object.fromEntries(names.map((name) => [name, {}])),
    required: names,
  })
  return { ...rest, anyOf: [needing(['id']), needing(required)] }
}

function writtenSchema({ compiled, examples }: SchemaSource, use: 'input' | 'patch'): Schema {
  const { type, ...rest } = named(compiled, inputSchema(compiled.known, use))
  const { noun } = compiled.declared
  return {
    ...(type === undefined ? {} : { type }),
    description:
      use === 'input'
        ? `The input that creates or replaces the ${noun}.`
        : `What a client sends to change the ${noun}: absent fields stay, null clears a field.`,
    ...rest,
    ...example(use === 'input' ? examples.input : examples.patch),
  }
}

function revealedSchema({ compiled, names, examples }: SchemaSource, reveals: Fields): Schema {
  const shown = Object.entries(reveals).map(([name, field]): [string, Schema] => {
    return [name, { ...fieldSchema(field, 'served'), readOnly: true }]
  })
  const values = Object.entries(reveals).map(([name, field]) => [name, fieldExample(name, field)])
  return {
    description: `The ${compiled.declared.noun} in a response to a write, with fields that no other response contains.`,
    allOf: [
      refer('schemas', names.single),
      { type: 'object', properties: Object.fromEntries(shown) },
    ],
    ...example(
      examples.instance === null ? null : { ...examples.instance, ...Object.fromEntries(values) },
    ),
  }
}

/** Builds the schemas of sorting, comparing and querying in a body. */
function listSchemas(
  compiled: Compiled,
  parent: Compiled | null,
  called: ComponentNames,
): readonly (readonly [string, Schema])[] {
  const all = filters(compiled)
  const sorts = all.filter((filter) => filter.sorts)
  const patterns = sorts.filter((filter) => dottedName(filter) === null).map(namePattern)
  const names = sorts.map(dottedName).filter((name) => name !== null)
  const known = { type: 'string', enum: names.flatMap((name) => [`${name}_asc`, `${name}_desc`]) }
  const free = { type: 'string', pattern: `^(${patterns.join('|')})_(asc|desc)$` }
  return [
    ['Sort', patterns.length === 0 ? known : { anyOf: [known, free] }],
    ['Comparisons', comparisonsSchema(all)],
    ['Query', querySchema(compiled, parent, called)],
  ]
}

function comparisonsSchema(all: readonly FilterSchema[]): Schema {
  const properties = all.flatMap((filter) => {
    const name = dottedName(filter)
    const operators = filter.operators.filter((operator) => operator !== 'eq')
    return name === null
      ? []
      : operators.map((operator) => [`${name}_${operator}`, valueSchema(filter, operator)])
  })
  const patterns = all.flatMap((filter) => {
    if (dottedName(filter) !== null) return []
    const suffixes = filter.operators.filter((operator) => operator !== 'eq').join('|')
    return [[`^${namePattern(filter)}(_(${suffixes}))?$`, { type: 'string' }]]
  })
  return {
    type: 'object',
    description: 'Comparisons: the name of a field with the suffix of the comparison.',
    properties: Object.fromEntries(properties),
    ...(patterns.length === 0 ? {} : { patternProperties: Object.fromEntries(patterns) }),
    additionalProperties: false,
  }
}

function example(value: JsonValue | null): { readonly examples?: readonly JsonValue[] } {
  return value === null ? {} : { examples: [value] }
}
