import { choosesAccount } from '../../engine/account-reach.ts'
import type { Field } from '../../core/declaration/field.ts'
import type { Operator } from '../../core/declaration/query.ts'
import { common, type Compiled } from '../../engine/compiled.ts'
import {
  patternCharactersMax,
  reserved,
  wildcardsMax,
} from '../../engine/query/filter-parameters.ts'
import type { ComponentNames } from '../component-names.ts'
import { refer, type Schema } from '../document.ts'
import { sharedParameters } from '../paths/shared-parameters.ts'
import { exampleTime } from './examples.ts'

/** A field that lists can be filtered by. */
export interface FilterSchema {
  /** The path of names to the field; `null` matches any name in a map. */
  readonly path: readonly (string | null)[]
  /** The field to compare, or the items of an array. */
  readonly field: Field
  readonly operators: readonly Operator[]
  /** True if lists can be sorted by it. */
  readonly sorts: boolean
}

/** All fields that lists of a collection can be filtered by, in wire order. */
export function filters(compiled: Compiled): readonly FilterSchema[] {
  return (
    compiled.served
      // A parameter of every list precedes a field of the same name.
      .filter((name) => !compiled.live.includes(name) && !reserved.includes(name))
      .flatMap((name) => {
        const field = Object.hasOwn(common, name) ? common[name] : compiled.declared.fields[name]
        return field === undefined ? [] : within([name], field)
      })
  )
}

/** Returns the dotted name of a filter in a query; null if the client chooses a part of it. */
export function dottedName({ path }: FilterSchema): string | null {
  return path.includes(null) ? null : path.join('.')
}

/** A regular expression for the dotted names of a filter, without anchors. */
export function namePattern({ path }: FilterSchema): string {
  return path
    .map((name) => (name === null ? '[^.]+' : name.replaceAll(/\W/g, String.raw`\$&`)))
    .join(String.raw`\.`)
}

/** The schema of one value that a filter compares with. `null` is written as that word. */
export function valueSchema({ field }: FilterSchema, operator: Operator): Schema {
  const equality = operator === 'eq' || operator === 'ne'
  const schema = operator === 'like' ? patternSchema : kindSchema(field, equality)
  const nullable = equality && field.nullable === true
  if (!nullable || (schema.type === 'string' && schema.format === undefined)) {
    return nullable && schema.enum !== undefined
      ? { ...schema, enum: [...schema.enum, 'null'] }
      : schema
  }
  return { anyOf: [schema, { const: 'null' }] }
}

/** The limits of engine/query/filter-parameters.ts. */
const patternSchema: Schema = {
  type: 'string',
  maxLength: patternCharactersMax,
  pattern: `^[^*]*([*][^*]*){0,${wildcardsMax}}$`,
}

const ordered: readonly Operator[] = ['ne', 'gt', 'gte', 'lt', 'lte']

function within(path: readonly (string | null)[], field: Field): readonly FilterSchema[] {
  switch (field.kind) {
    case 'object':
      return Object.entries(field.properties).flatMap(([name, inner]) =>
        within([...path, name], inner),
      )
    case 'map':
      return within([...path, null], field.values)
    case 'array':
      return ['object', 'map', 'array'].includes(field.items.kind)
        ? []
        : [{ path, field: field.items, operators: ['eq', 'ne'], sorts: false }]
    case 'boolean':
      return [{ path, field, operators: ['eq', 'ne'], sorts: true }]
    case 'integer':
    case 'number':
      return [{ path, field, operators: ['eq', ...ordered], sorts: true }]
    default:
      return [{ path, field, operators: ['eq', ...ordered, 'like'], sorts: true }]
  }
}

function kindSchema(field: Field, equality: boolean): Schema {
  switch (field.kind) {
    case 'integer':
    case 'number':
      return { type: 'number' }
    case 'boolean':
      return { type: 'boolean' }
    case 'timestamp':
      return { type: 'string', format: 'date-time' }
    case 'choice':
      return equality ? { type: 'string', enum: field.enum } : { type: 'string' }
    default:
      return { type: 'string' }
  }
}

/** Schema of a parameter value in the body of a query; other scalars are equal to their text. */
export const queryValueSchema: Schema = {
  description: 'The value of a parameter. Other scalars are equal to their text.',
  anyOf: [plain(), { type: 'array', items: plain(), minItems: 1 }],
}

/** Builds the schema of a long query: the parameters of a list. */
export function querySchema(
  compiled: Compiled,
  parent: Compiled | null,
  { single }: ComponentNames,
): Schema {
  const all = filters(compiled)
  const { declared } = compiled
  const sort = refer('schemas', `${single}Sort`)
  const named = Object.keys(declared.filters ?? {})
  const names = [...all.map(dottedName).filter((name) => name !== null), ...named]
  const maps = all.filter((filter) => dottedName(filter) === null).map(namePattern)
  const inMaps = maps.length === 0 ? {} : { [`^(${maps.join('|')})$`]: value }
  return {
    type: 'object',
    description:
      'The parameters of a list in the body of a query; an array repeats one. A comparison is a field ' +
      'with `_ne`, `_gt`, `_gte`, `_lt`, `_lte` or `_like`.',
    properties: {
      ...(choosesAccount(compiled, parent) ? { account: { type: 'string' } } : {}),
      sort: oneOrMany(sort),
      ...(declared.searchedBy.length === 0 ? {} : { search: { type: 'string' } }),
      page: sharedParameters.Page.schema,
      pageSize: sharedParameters.PageSize.schema,
      after: { type: 'string' },
      fields: value,
      ...Object.fromEntries(names.map((name) => [name, value])),
    },
    patternProperties: { [String.raw`^[\w.]+_(ne|gt|gte|lt|lte|like)$`]: value, ...inMaps },
    additionalProperties: false,
    examples: [{ createdAt_gte: exampleTime, sort: 'createdAt_desc', pageSize: 100 }],
  }
}

const value = refer('schemas', 'QueryValue')

function oneOrMany(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'array', items: schema, minItems: 1 }] }
}

function plain(): Schema {
  return { type: ['string', 'number', 'boolean', 'null'] }
}
