import { everyAccount } from '../../../core/account.ts'
import type { Condition, Query } from '../../../core/declaration/query.ts'
import type { Dialect } from '../dialect.ts'
import { isOneList, type Scope } from '../tables/source.ts'
import { columnAt, columnFor, type Table } from '../tables/table.ts'
import { isInIndex } from './order.ts'

/** Rows that a cheap query may skip. */
const skippedMax = 1000

/** Returns whether an index gives the rows of a page in their order, so that hardly another row is read. */
export function isCheapQuery(compiled: CompiledQuery, start: Query['start']): boolean {
  const { table, scope, query } = compiled
  if (query.searchTerms.length > 0 || query.alternatives !== undefined) return false
  if ('offset' in start && start.offset > skippedMax) return false
  if (!isOrderedByIndex(compiled)) return false
  const [first, ...others] = query.conditions
  if (first === undefined) return true
  if (scope.members !== null || !isOneList(table, scope) || !isById(query)) return false
  if (query.conditions.every(isOnId)) return true
  return (
    others.length === 0 &&
    isOneValue(first) &&
    columnFor(table, first.path, first.values) !== undefined
  )
}

/** Returns whether an index has the whole order, so that a list can be examined in pieces. */
export function isOrderedByIndex({ table, scope, query }: CompiledQuery): boolean {
  const [first] = query.sort
  if (first === undefined) return false
  if (scope.account === everyAccount && !table.collection.owned) return false
  if (scope.members !== null || (table.nested && scope.parent === null)) return isById(query)
  if (!isInIndex(table, query.sort)) return false
  // Rows that share a time are few: sorting them costs nothing.
  const isTime = columnAt(table, first.path)?.kind === 'timestamp'
  return isTime || query.sort.every(({ direction }) => direction === first.direction)
}

function isById({ sort }: Pick<Query, 'sort'>): boolean {
  return sort.length === 1 && sort[0]?.path.join('.') === 'id'
}

function isOnId({ path, operator }: Condition): boolean {
  return path.join('.') === 'id' && operator !== 'ne' && operator !== 'like'
}

function isOneValue({ operator, values }: Condition): boolean {
  return operator === 'eq' && values.length === 1
}

/** A query with the table and the scope it runs over. */
export interface CompiledQuery {
  readonly dialect: Dialect
  readonly table: Table
  readonly scope: Scope
  /** The statement ends if its executor interrupts it. */
  readonly isInterruptible?: boolean
  readonly query: Pick<Query, 'conditions' | 'alternatives' | 'searchTerms' | 'sort'>
}
