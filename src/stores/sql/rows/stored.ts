import type { AccountId } from '../../../core/account.ts'
import type { InstanceKey, Stored } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import { completedStored } from '../declarations/completed-stored.ts'
import type { Row, SqlValue } from '../connection.ts'
import { unpackedText } from '../../packed-text.ts'
import { textIn, textOrNullIn } from './row.ts'

/** The parameters that stand for the place of an instance within an account. */
export function placeIn(table: CataloguedTable, key: InstanceKey): readonly SqlValue[] {
  return table.nested ? [key.parent ?? '', key.id] : [key.id]
}

/** The instance whose texts a row begins with. */
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
    doc: table.isPacked ? unpackedText(id, textIn(doc)) : textIn(doc),
    hidden: textOrNullIn(hidden),
    revision: textIn(revision),
  }
  return table.unfinished?.texts === true ? completedStored(table.collection, stored) : stored
}
