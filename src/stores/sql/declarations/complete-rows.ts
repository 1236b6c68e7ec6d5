import { accountId } from '../../../core/account.ts'
import type { JsonObject } from '../../../core/json.ts'
import { completed, completedHidden } from '../../complete.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import { parametersOf, update, writtenOf } from '../rows/instances.ts'
import { keepUnfinished } from './stored-declarations.ts'
import type { RowKey } from '../rows/row-key.ts'
import { textIn, textOrNullIn } from '../rows/row.ts'
import type { Session } from '../session.ts'
import type { Unfinished } from './unfinished.ts'

/** So many rows are seen to in one transaction: it takes some five milliseconds. */
export const rowsInSlice = 200

/**
 * Writes the next rows of an earlier declaration as the one that holds now would have them: their
 * texts, their columns, what search looks into. Returns what is left to do; null where nothing is.
 * Cut off anywhere, it goes on from the last commit.
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
  const [doc, hidden, , ...columns] = row
  const written = writtenOf(
    table,
    ...contentOf(table, unfinished, textIn(doc), textOrNullIn(hidden)),
  )
  const differs =
    unfinished.search ||
    written.doc !== doc ||
    written.hidden !== hidden ||
    written.columns.some((value, index) => value !== columns[index])
  if (differs) await update(session, place, written, row)
}

/** What an instance holds now; its texts stay as they are where only what stands beside them changed. */
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
