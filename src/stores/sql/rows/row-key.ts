import type { AccountId } from '../../../core/account.ts'
import type { InstanceKey } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'

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
