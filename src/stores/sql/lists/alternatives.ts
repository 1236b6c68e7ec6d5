import type { Condition, Query } from '../../../core/declaration/query.ts'
import { columnAt, type Table } from '../tables/table.ts'

type Asked = Pick<Query, 'conditions' | 'sort'>

/** More values than this are looked for in one go. */
const alternativesMax = 16

/**
 * The same query once for each of several values that it allows an indexed field to have. By id each
 * of them is a range of the index in its order, which all of them together are not. Null where the
 * query is not like that.
 */
export function alternatives<Q extends Asked>(table: Table, query: Q): readonly Q[] | null {
  if (query.sort.length !== 1 || query.sort[0]?.path.join('.') !== 'id') return null
  const several = query.conditions.find((condition) => isSeveral(table, condition))
  if (several === undefined) return null
  const others = query.conditions.filter((condition) => condition !== several)
  return [...new Set(several.values)].map((value) => ({
    ...query,
    conditions: [...others, { ...several, values: [value] }],
  }))
}

function isSeveral(table: Table, { path, operator, values }: Condition): boolean {
  const different = new Set(values).size
  return (
    operator === 'eq' &&
    different > 1 &&
    different <= alternativesMax &&
    columnAt(table, path) !== undefined
  )
}
