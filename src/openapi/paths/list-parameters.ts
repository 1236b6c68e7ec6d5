import { choosesAccount } from '../../engine/account-reach.ts'
import type { Compiled } from '../../engine/compiled.ts'
import type { ComponentNames } from '../component-names.ts'
import { refer, type OpenApiParameter, type Referable } from '../document.ts'
import { dottedName, filters, valueSchema, type FilterSchema } from '../schemas/filters.ts'

/** Returns the parameters of a list: order, search, page, fields, and a filter for every field. */
export function listParameters(
  compiled: Compiled,
  parent: Compiled | null,
  names: ComponentNames,
): readonly Referable<OpenApiParameter>[] {
  const all = filters(compiled)
  return [
    ...(choosesAccount(compiled, parent) ? [refer('parameters', 'Account')] : []),
    sort(names),
    ...search(compiled),
    refer('parameters', 'Page'),
    refer('parameters', 'PageSize'),
    refer('parameters', 'After'),
    fields(compiled),
    ...all.flatMap((filter) => {
      const name = dottedName(filter)
      return name === null ? [] : [equality(filter, name)]
    }),
    ...named(compiled),
    comparisons(names),
    refer('parameters', 'Prefer'),
  ]
}

/** The name of the parameter that holds all comparisons; the query itself never shows it. */
export const comparisonsName = 'comparisons'

function sort({ single }: ComponentNames): OpenApiParameter {
  return {
    name: 'sort',
    in: 'query',
    description:
      'The order: fields with `_asc` or `_desc`, repeated or separated by commas. ' +
      'Ties are ordered by `id`; nulls are last.',
    schema: { type: 'array', items: refer('schemas', `${single}Sort`), maxItems: 8 },
  }
}

function search({ declared }: Compiled): readonly OpenApiParameter[] {
  const { searchedBy } = declared
  if (searchedBy.length === 0) return []
  const where = searchedBy.map((name) => `\`${name}\``).join(', ')
  return [
    {
      name: 'search',
      in: 'query',
      description: `Words that must all occur in ${where}, in upper or lower case.`,
      schema: { type: 'string' },
    },
  ]
}

function fields({ served }: Compiled): OpenApiParameter {
  return {
    name: 'fields',
    in: 'query',
    description: 'Only these fields, and `id`.',
    explode: false,
    schema: { type: 'array', items: { type: 'string', enum: served } },
  }
}

function equality(filter: FilterSchema, name: string): OpenApiParameter {
  return {
    name,
    in: 'query',
    description: `Only instances whose \`${name}\` is this value, or one of these.`,
    schema: { type: 'array', items: valueSchema(filter, 'eq') },
  }
}

function named({ declared }: Compiled): readonly OpenApiParameter[] {
  return Object.entries(declared.filters ?? {}).map(([name, { description }]) => {
    return { name, in: 'query', description, schema: { type: 'array', items: { type: 'string' } } }
  })
}

function comparisons({ single }: ComponentNames): OpenApiParameter {
  return {
    name: comparisonsName,
    in: 'query',
    description:
      'Each member is one parameter: a field with `_ne`, `_gt`, `_gte`, ' +
      '`_lt`, `_lte` or `_like`, such as `createdAt_gte=2026-01-31T12:00:00Z`. ' +
      'In `_like`, `*` matches any characters, at most 10 times in 200 characters; ' +
      'a repeated `_ne` excludes each value.',
    style: 'form',
    explode: true,
    schema: refer('schemas', `${single}Comparisons`),
  }
}
