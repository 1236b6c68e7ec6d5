import type { AccountId } from '../../../core/account.ts'
import type { Collection } from '../../../core/declaration/collection.ts'
import type { NewInstance } from '../../../core/ports/store.ts'
import { insertRows } from './insert-rows.ts'
import { insertedOf, writtenOf } from './instances.ts'
import type { Work } from '../work.ts'

/**
 * Adds instances of a collection that passes, many by one statement. The transaction does not remember them:
 * nothing changes them.
 */
export async function addInstances(
  { connection, catalogue, dialect, effects }: Work,
  account: AccountId,
  collection: Collection,
  parent: string | null,
  added: readonly NewInstance[],
): Promise<void> {
  if (added.length === 0) return
  const table = catalogue.of(collection)
  const rows = added.map((instance) => {
    const key = { parent, id: instance.id }
    return insertedOf({ table, account, key }, writtenOf(table, instance, null))
  })
  const { insert, insertMany } = table.statements
  const inserts = { one: insert, many: dialect.gathers ? null : insertMany }
  await insertRows(connection, inserts, rows)
  effects.changed.add(table.qualifiedName)
}
