import { accountId } from '../../../core/account.ts'
import type { JsonObject } from '../../../core/json.ts'
import { completed, completedHidden } from '../../complete.ts'
import { catalogue, type CataloguedTable } from '../tables/catalogue.ts'
import type { Table } from '../tables/table.ts'
import { parametersOf, update, writtenOf } from '../rows/instances.ts'
import { keepUnfinished, type KeptDeclaration } from './stored-declarations.ts'
import { type RowKey, textIn, encryptedHidden, storedIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import type { SecretCipher } from '../../secret-cipher.ts'
import { everyCell } from '../tables/slice.ts'
import type { Unfinished } from './unfinished.ts'

/** Rows that one transaction completes, in about five milliseconds. */
export const rowsInSlice = 200

/**
 * Rewrites the next rows of an earlier declaration in the form of the present one: texts, columns and
 * searched text. Returns the remaining work; null if none is left. After an interruption it continues from
 * the last commit.
 */
export async function completeRows(
  session: Session,
  table: CataloguedTable,
  unfinished: Unfinished,
): Promise<Unfinished | null> {
  const places = await nextPlaces(session, table, unfinished)
  for (const place of places) await completeRow(session, place, unfinished)
  const last = places.at(-1)
  const left =
    last === undefined || places.length < rowsInSlice
      ? null
      : { ...unfinished, after: parametersOf(last) }
  await keepUnfinished(session.connection, table.qualifiedName, left)
  return left
}

/**
 * Completes the rows that an earlier change of a declaration left, under that declaration. A new change
 * begins with complete rows.
 */
export async function finishEarlier(
  { connection, dialect, cipher }: EarlierSession,
  { qualifiedName, collection }: Table,
  before: KeptDeclaration | undefined,
): Promise<void> {
  if (before === undefined || before.unfinished === null) return
  if (JSON.stringify(before.declared) === JSON.stringify(collection)) return
  const unfinished = new Map([[qualifiedName, before.unfinished]])
  const earlier = catalogue([before.declared], dialect, [], unfinished, cipher)
  const session = { connection, catalogue: earlier, dialect, slices: everyCell }
  let left: Unfinished | null = before.unfinished
  while (left !== null) left = await completeRows(session, earlier.of(before.declared), left)
}

interface EarlierSession extends Pick<Session, 'connection' | 'dialect'> {
  readonly cipher: SecretCipher | null
}

async function nextPlaces(
  { connection }: Session,
  table: CataloguedTable,
  { after }: Unfinished,
): Promise<readonly RowKey[]> {
  const key = table.key.join(', ')
  const marks = table.key.map(() => '?').join(', ')
  const behind = after === null ? '' : `where (${key}) > (${marks})`
  const rows = await connection.all(
    `select ${key} from ${table.sql} ${behind} order by ${key} limit ?`,
    [...(after ?? []), rowsInSlice],
  )
  return rows.map(([, account, ...rest]) => ({
    table,
    account: accountId(textIn(account)),
    key: { id: textIn(rest.at(-1)), parent: table.nested ? textIn(rest[0]) : null },
  }))
}

async function completeRow(session: Session, place: RowKey, unfinished: Unfinished): Promise<void> {
  const { table } = place
  const row = await session.connection.first(table.statements.findToWrite, parametersOf(place))
  if (row === undefined) return
  const [, stored, , ...columns] = row
  const { doc, hidden } = storedIn(row, { ...table, unfinished: null }, place.account, place.key)
  const written = writtenOf(table, ...contentOf(table, unfinished, doc, hidden))
  const differs =
    unfinished.search ||
    written.doc !== doc ||
    encryptedHidden(place, written.hidden) !== stored ||
    written.columns.some((value, index) => value !== columns[index])
  if (differs) await update(session, place, written, row)
}

/** Returns the new values of an instance; its texts stay unchanged if only columns changed. */
function contentOf(
  { collection }: CataloguedTable,
  { texts }: Unfinished,
  doc: string,
  hidden: string | null,
): [JsonObject, JsonObject | null] {
  const instance: JsonObject = JSON.parse(doc)
  const beside: JsonObject | null = hidden === null ? null : JSON.parse(hidden)
  return texts
    ? [completed(collection, instance), completedHidden(collection, beside)]
    : [instance, beside]
}
