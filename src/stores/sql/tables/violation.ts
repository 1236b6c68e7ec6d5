import { defaultAccount } from '../../../core/account.ts'
import { fieldAt } from '../../field-at.ts'
import type { Constraint } from './constraint.ts'
import type { Dialect } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { join, parameter, plain } from '../fragment.ts'
import { type Table, textSource } from './table.ts'

/** The rows that break a demand, as a condition. `table` is that of the declaration before. */
export function breaches(
  dialect: Dialect,
  { collection }: Pick<Table, 'collection'>,
  { names, source, breach }: Constraint,
): Fragment {
  const valueAt = (path: readonly string[]): Fragment =>
    dialect.jsonValue(textSource(dialect, collection, source), path, fieldAt(collection, path).kind)
  const around = names.slice(0, -1)
  const isThere = around.length === 0 ? plain('1 = 1') : join`${valueAt(around)} is not null`
  switch (breach.is) {
    case 'value':
      return join`${valueAt(names)} is not null`
    case 'null':
      return join`${isThere} and ${valueAt(names)} is null`
    case 'other': {
      const value = valueAt(names)
      return join`${value} is not null and not (${dialect.among(value, breach.than)})`
    }
    case 'instance':
      return isThere
    case 'elsewhere':
      return join`account <> ${parameter(defaultAccount)}`
  }
}
