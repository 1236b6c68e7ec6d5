import type { AccountId } from '../../core/account.ts'
import type { Key } from '../../core/store.ts'
import type { CataloguedTable } from './catalogue.ts'

/** Where an instance is. */
export interface Place {
  readonly table: CataloguedTable
  readonly account: AccountId
  readonly key: Key
}

/** Names an instance among all. */
export function nameOf({ table, account, key }: Place): string {
  return `${account} ${table.name} ${table.nested ? (key.parent ?? '') : ''} ${key.id}`
}
