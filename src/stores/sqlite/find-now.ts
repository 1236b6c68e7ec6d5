import { accountId, type AccountReach, defaultAccount, everyAccount } from '../../core/account.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { InstanceKey, Stored } from '../../core/ports/store.ts'
import type { StoredCatalogue } from '../sql/tables/catalogue.ts'
import { textIn } from '../sql/rows/row.ts'
import { placeIn, storedIn } from '../sql/rows/stored.ts'
import type { SqliteConnection } from './connection.ts'

/** Finds an instance in one account, or in all: the administrator's own comes first there, and is looked for first. */
export function findNow(
  connection: SqliteConnection,
  catalogue: StoredCatalogue,
  reach: AccountReach,
  collection: Collection,
  key: InstanceKey,
): Stored | null {
  const table = catalogue.of(collection)
  const { find, findAnywhere } = table.statements
  const place = placeIn(table, key)
  const account = reach === everyAccount ? defaultAccount : reach
  const row = connection.firstNow(find, [account, ...place])
  if (row !== undefined) return storedIn(row, table, account, key)
  if (reach !== everyAccount) return null
  // One search by the identifier alone costs as much as two by account and identifier.
  const elsewhere = connection.firstNow(findAnywhere, place)
  if (elsewhere === undefined) return null
  return storedIn(elsewhere, table, accountId(textIn(elsewhere[3])), key)
}
