import { hash } from 'node:crypto'
import type { AccountId } from '../../../core/account.ts'
import type { Collection } from '../../../core/declaration/collection.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../core/json.ts'
import type { InstanceKey, Stored } from '../../../core/ports/store.ts'
import { completed, completedHidden } from '../../complete.ts'
import { unpackedText } from '../../packed-text.ts'
import type { Row, SqlValue } from '../connection.ts'
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

/** Name of the only member that replaces an encrypted value. No header, setting or field can have it. */
const mark = '(encrypted)'

/** Returns a pattern of `like` for hidden texts in which a key encrypts a value. */
export function encryptedPattern(keyId: string): string {
  return `%{"${mark}":"${keyId}.%`
}

/** Returns hidden fields as their row holds them: with encrypted secrets if the store has a key. */
export function encryptedHidden(place: RowKey, hidden: string | null): string | null {
  const { secrets } = place.table
  if (secrets === null || hidden === null) return hidden
  return changed(place, hidden, secrets.fields, (value, context) => ({
    [mark]: secrets.cipher.encrypt(context, JSON.stringify(value)),
  }))
}

/** Returns hidden fields in clear. Values from before the store had a key are in clear already. */
export function decryptedHidden(place: RowKey, hidden: string | null): string | null {
  const { secrets } = place.table
  if (secrets === null || hidden?.includes(mark) !== true) return hidden
  return changed(place, hidden, secrets.fields, (value, context) => {
    const encrypted = isJsonObject(value) ? value[mark] : undefined
    if (typeof encrypted !== 'string') return value
    return JSON.parse(secrets.cipher.decrypt(context, encrypted))
  })
}

function changed(
  { table, account, key }: RowKey,
  hidden: string,
  secretFields: readonly string[],
  change: (value: JsonValue, context: string) => JsonValue,
): string {
  const fields: JsonObject = JSON.parse(hidden)
  const parent = table.nested ? (key.parent ?? '') : ''
  const after = Object.entries(fields).map(([name, value]): [string, JsonValue] => {
    if (value === null || !secretFields.includes(name)) return [name, value]
    const context = JSON.stringify([account, table.qualifiedName, parent, key.id, name])
    return [name, change(value, context)]
  })
  return JSON.stringify(Object.fromEntries(after))
}
