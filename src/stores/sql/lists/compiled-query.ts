import type { Query } from '../../../core/declaration/query.ts'
import type { Dialect } from '../dialect.ts'
import type { Scope } from '../tables/source.ts'
import type { Table } from '../tables/table.ts'

/** A query with the table and the scope it runs over. */
export interface CompiledQuery {
  readonly dialect: Dialect
  readonly table: Table
  readonly scope: Scope
  /** The statement ends if its executor interrupts it. */
  readonly isInterruptible?: boolean
  readonly query: Pick<Query, 'conditions' | 'alternatives' | 'searchTerms' | 'sort'>
}
