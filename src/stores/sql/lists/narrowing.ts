import type { Condition } from '../../../core/declaration/query.ts'
import type { RowFilter } from '../../../core/ports/store.ts'
import type { Column, Table } from '../tables/table.ts'

/**
 * Whether a list or a count has to look at the texts of many instances: something is asked that no
 * index knows, and no index leaves few.
 */
export function isScan(table: Table, filter: RowFilter): boolean {
  const isKnown = (asked: Condition): boolean =>
    asked.path.join('.') === 'id' || (columnOf(table, asked) !== undefined && isRange(asked))
  const isAsked = filter.searchTerms.length > 0 || !filter.conditions.every(isKnown)
  return isAsked && !leavesFew(table, filter)
}

/** Whether an index leaves few of the instances: a text or a number is given that is not null. */
export function leavesFew(table: Table, { conditions }: RowFilter): boolean {
  return conditions.some((asked) => {
    const kind = columnOf(table, asked)?.kind
    const many = kind === undefined || kind === 'choice' || kind === 'boolean'
    return asked.operator === 'eq' && !many && !asked.values.includes(null)
  })
}

function isRange({ operator, values }: Condition): boolean {
  return operator !== 'ne' && !(operator === 'like' && String(values[0]).startsWith('*'))
}

function columnOf(table: Table, { path }: Condition): Column | undefined {
  return table.columns.find((column) => column.path.join('.') === path.join('.'))
}
