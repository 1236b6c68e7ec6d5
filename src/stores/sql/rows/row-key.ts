import type { AccountId } from '../../../core/account.ts'
import type { InstanceKey } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'

/** Where an instance is. */
export interface RowKey {
  readonly table: CataloguedTable
  readonly account: AccountId
  readonly key: InstanceKey
}

/** Names an instance among all. */
export function nameOf({ table, account, key }: RowKey): string {
  return `${account} ${table.name} ${table.nested ? (key.parent ?? '') : ''} ${key.id}`
}
