import type { AccountId } from '../../../core/account.ts'
import type { InstanceKey, Stored } from '../../../core/ports/store.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import type { Row, SqlValue } from '../connection.ts'
import { unpackedText } from '../../packed-text.ts'
import { decryptedHidden } from './encrypted-hidden.ts'
import { textIn, textOrNullIn } from './row.ts'
import { hash } from 'node:crypto'
import type { Collection } from '../../../core/declaration/collection.ts'
import { completed, completedHidden } from '../../complete.ts'

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
  const text = textOrNullIn(hidden)
  const key = { id, parent: table.nested ? (parent ?? null) : null }
  const stored = {
    account,
    parent: key.parent,
    id,
    doc: table.isPacked ? unpackedText(id, textIn(doc)) : textIn(doc),
    hidden: text,
    revision: textIn(revision),
  }
  if (table.secrets !== null && text !== null) {
    // Most reads do not use the secrets: decrypt them only on access.
    const place = { table, account, key }
    Object.defineProperty(stored, 'hidden', {
      enumerable: true,
      get: () => decryptedHidden(place, text),
    })
  }
  return table.unfinished?.texts === true ? completedStored(table.collection, stored) : stored
}

/** Octets are written six bits a character: 22 of them hold 132 bits of the digest. */
const revisionLength = 22

/** The revision of an instance: the beginning of the SHA-256 of the text that is served, in base64url. */
export function revisionOf(doc: string): string {
  return hash('sha256', doc, 'base64url').slice(0, revisionLength)
}

/** Returns an instance completed for its present declaration, as the next write of its row stores it. */
export function completedStored(collection: Collection, stored: Stored): Stored {
  const doc = JSON.stringify(completed(collection, JSON.parse(stored.doc)))
  const hidden =
    stored.hidden === null ? null : completedHidden(collection, JSON.parse(stored.hidden))
  return {
    ...stored,
    doc,
    hidden: hidden === null ? null : JSON.stringify(hidden),
    revision: revisionOf(doc),
  }
}
