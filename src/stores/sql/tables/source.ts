import { type AccountReach, everyAccount } from '../../../core/account.ts'
import type { RowFilter } from '../../../core/ports/store.ts'
import type { Dialect } from '../dialect.ts'
import type { Fragment } from '../fragment.ts'
import { allOf, join, parameter, plain } from '../fragment.ts'
import { leavesFew } from '../lists/narrowing.ts'
import type { Table } from './table.ts'

/** Whose instances are asked for, and inside which parent. */
export interface Scope {
  readonly account: AccountReach
  readonly parent: string | null
  /** Only instances that this table names below this parent. */
  readonly members: Members | null
}

interface Members {
  readonly entries: Table
  readonly parent: string
}

/** Whether a scope is one account, and one parent: then it has each id once. */
export function isOneList(table: Table, { account, parent }: Scope): boolean {
  return account !== everyAccount && (!table.nested || parent !== null)
}

/** Where the instances of a scope are found. */
export interface Source {
  /** What stands behind `from`. */
  readonly from: Fragment
  readonly holds: readonly Fragment[]
  /** The table, with the name that the id has in the source. */
  readonly table: Table
}

/**
 * The source of a scope. Members are read in the order of their entries, each with its instance, so
 * that a page costs the same however many there are; unless an index of the instances leaves so few
 * that each of them can be looked up among the entries.
 */
export function sourceOf(dialect: Dialect, table: Table, scope: Scope, filter: RowFilter): Source {
  const { account, members } = scope
  const holds = scopeConditions(table, scope)
  if (members === null) return { from: plain(table.sql), holds, table }
  if (leavesFew(table, filter)) {
    return { from: plain(table.sql), holds: [...holds, hasEntry(table, members)], table }
  }
  const joined = plain(`${dialect.joinInOrder} ${table.sql} on account = owner and id = member`)
  const from = join`${entriesOf(members, account)} ${joined}`
  return { from, holds, table: { ...table, id: 'member' } }
}

/** What holds for all rows of a scope; `write` writes the columns. */
export function scopeConditions(
  table: Table,
  { account, parent }: Scope,
  write: (column: Fragment) => Fragment = (column) => column,
): readonly Fragment[] {
  const [owner, above] = [write(plain('account')), write(plain('parent'))]
  return [
    ...(account === everyAccount ? [] : [join`${owner} = ${parameter(account)}`]),
    ...(table.nested && parent !== null ? [join`${above} = ${parameter(parent)}`] : []),
  ]
}

function entriesOf({ entries, parent }: Members, account: AccountReach): Fragment {
  const holds = allOf([
    join`parent = ${parameter(parent)}`,
    ...(account === everyAccount ? [] : [join`account = ${parameter(account)}`]),
  ])
  const named = plain('select account as owner, id as member from')
  return join`(${named} ${plain(entries.sql)} where ${holds}) as entries`
}

function hasEntry({ sql }: Table, { entries, parent }: Members): Fragment {
  const same = plain(`entry.account = ${sql}.account and entry.id = ${sql}.id`)
  const named = plain(`${entries.sql} as entry`)
  return join`exists (select 1 from ${named} where ${same} and entry.parent = ${parameter(parent)})`
}
