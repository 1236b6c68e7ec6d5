import type { AccountId } from '../../../core/account.ts'
import type { InstanceKey } from '../../../core/ports/store.ts'
import type { SqlValue } from '../connection.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'

/** Returns the text in a column. Throws for any other value: the table is not Nuncio's. */
export function textIn(value: unknown): string {
  if (typeof value !== 'string') throw unexpected(value)
  return value
}

/** Returns the text in a column, or null. */
export function textOrNullIn(value: unknown): string | null {
  return value === null ? null : textIn(value)
}

/** Returns the number in a column. Drivers return large ones as text or as BigInt. */
export function numberIn(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value === 'string' || typeof value === 'bigint') return Number(value)
  throw unexpected(value)
}

/** Returns the number in a column, or null. */
export function numberOrNullIn(value: unknown): number | null {
  return value === null ? null : numberIn(value)
}

/** Returns the value of a column as a parameter for a comparison. */
export function sqlValueIn(value: unknown): SqlValue {
  return typeof value === 'string' || value === null ? value : numberIn(value)
}

function unexpected(value: unknown): Error {
  return new Error(`a column holds ${value === null ? 'null' : typeof value}`)
}

/** The table, account and identifier of an instance. */
export interface RowKey {
  readonly table: CataloguedTable
  readonly account: AccountId
  readonly key: InstanceKey
}

/** Returns a name that is unique among all instances. */
export function nameOf({ table, account, key }: RowKey): string {
  return `${account} ${table.name} ${table.nested ? (key.parent ?? '') : ''} ${key.id}`
}
