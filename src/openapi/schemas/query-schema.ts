import { choosesAccount } from '../../engine/account-reach.ts'
import type { Compiled } from '../../engine/compiled.ts'
import type { ComponentNames } from '../component-names.ts'
import { refer, type Schema } from '../document.ts'
import { sharedParameters } from '../paths/shared-parameters.ts'
import { exampleTime } from './field-example.ts'
import { dottedName, filters, namePattern } from './filters.ts'

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
