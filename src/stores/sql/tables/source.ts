import { type AccountReach, everyAccount } from '../../../core/account.ts'
import { cellOf } from '../../cell.ts'
import type { Fragment } from '../fragment.ts'
import { allOf, join, parameter, plain } from '../fragment.ts'
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

/** The origin of a scope's instances. */
export interface Source {
  /** The table expression. */
  readonly from: Fragment
  readonly holds: readonly Fragment[]
  /** The table, with the name that the id has in the source. */
  readonly table: Table
}

/** Returns the source of a scope. Members are ordered by their entries, so that an index gives their order. */
export function sourceOf(table: Table, { account, parent, members }: Scope): Source {
  const holds = [
    ...ofAccount(account),
    ...(table.nested && parent !== null ? [join`parent = ${parameter(parent)}`] : []),
  ]
  if (members === null) return { from: plain(table.sql), holds, table }
  const joined = plain(`join ${table.sql} on cell = owner_cell and account = owner and id = member`)
  const from = join`${entriesOf(members, account)} ${joined}`
  return { from, holds, table: { ...table, id: 'member' } }
}

function entriesOf({ entries, parent }: Members, account: AccountReach): Fragment {
  const holds = allOf([join`parent = ${parameter(parent)}`, ...ofAccount(account)])
  const named = plain('select cell as owner_cell, account as owner, id as member from')
  return join`(${named} ${plain(entries.sql)} where ${holds}) as entries`
}

function ofAccount(account: AccountReach): readonly Fragment[] {
  if (account === everyAccount) return []
  return [join`cell = ${parameter(cellOf(account))}`, join`account = ${parameter(account)}`]
}

/** Returns whether a scope is one account, and one parent: then it has each id once. */
export function isOneList(table: Table, { account, parent }: Scope): boolean {
  return account !== everyAccount && (!table.nested || parent !== null)
}
