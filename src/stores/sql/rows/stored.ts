import type { AccountId } from '../../../core/account.ts'
import type { InstanceKey, Stored } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import { completedStored } from '../declarations/completed-stored.ts'
import type { Row, SqlValue } from '../connection.ts'
import { textIn, textOrNullIn } from './row.ts'

/** Returns the parameters for the key of an instance within an account. */
export function placeIn(table: CataloguedTable, key: InstanceKey): readonly SqlValue[] {
  return table.nested ? [key.parent ?? '', key.id] : [key.id]
}

/** Returns the instance whose texts begin a row. */
export function storedIn(
  row: Row,
  table: CataloguedTable,
  account: AccountId,
  { id, parent }: InstanceKey,
): Stored {
  const [doc, hidden, revision] = row
  const stored = {
    account,
    parent: table.nested ? (parent ?? null) : null,
    id,
    doc: textIn(doc),
    hidden: textOrNullIn(hidden),
    revision: textIn(revision),
  }
  return table.unfinished?.texts === true ? completedStored(table.collection, stored) : stored
}
