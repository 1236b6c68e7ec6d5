import type { Query } from '../../core/declaration/query.ts'
import type { InputError } from '../../core/problem.ts'
import type { Compiled } from '../compiled.ts'
import { readConditions, type FilterParameter } from './filter-parameters.ts'

/** The filters of a query that are no fields. */
export interface NamedFilters {
  readonly names: readonly string[]
  readonly filter: Pick<Query, 'alternatives'>
}

/** Reads the filters that a collection declares by name. A repeated one matches any of its values. */
export function readNamedFilters(
  compiled: Compiled,
  parameters: readonly FilterParameter[],
  errors: InputError[],
): NamedFilters {
  const declared = compiled.declared.filters ?? {}
  const names = Object.keys(declared)
  const [name] = parameters.find(([given]) => names.includes(given)) ?? []
  const named = name === undefined ? undefined : declared[name]
  if (name === undefined || named === undefined) return { names, filter: {} }

  const values = parameters.flatMap(([given, value]) => (given === name ? [value] : []))
  const faults: InputError[] = []
  const alternatives = named.alternatives.map(({ where, field }) => {
    const compared = values.map((value): FilterParameter => [field, value])
    return readConditions(compiled, [...compared, ...Object.entries(where)], faults)
  })
  const [fault] = faults
  if (fault !== undefined) errors.push({ parameter: name, detail: fault.detail })
  return { names, filter: { alternatives } }
}
