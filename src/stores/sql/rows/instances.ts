import type { JsonObject } from '../../../core/json.ts'
import { type MaybePromise, andThen } from '../../../core/maybe-promise.ts'
import { type Stored, UniqueViolation } from '../../../core/ports/store.ts'
import { cellOf } from '../../cell.ts'
import { packedText } from '../../packed-text.ts'
import { searchText } from '../../search-text.ts'
import type { CataloguedTable } from '../tables/catalogue.ts'
import type { Row, SqlValue } from '../connection.ts'
import {
  nameOf,
  type RowKey,
  sqlValueIn,
  encryptedHidden,
  placeIn,
  storedIn,
  revisionOf,
} from './row.ts'
import { type Work, SerializationConflict } from '../work.ts'
import { type Column, columnValue } from '../tables/table.ts'

/**
 * Reads an instance. The transaction remembers the row, since most writes follow a read: an update then
 * writes only the changed columns.
 */
export function findInstance(work: Work, place: RowKey): MaybePromise<Stored | null> {
  return andThen(read(work, place), (row) =>
    row === null ? null : storedIn(row, place.table, place.account, place.key),
  )
}

/** Prevents new references to an instance until the transaction ends. */
export async function seizeInstance(work: Work, place: RowKey): Promise<void> {
  // A database with one writer at a time allows no reference during the transaction.
  if (work.dialect.forUpdate === '') return
  if (work.isTogether) throw new SerializationConflict()
  await read({ ...work, isPatient: true }, place)
}

/** The new content of a row: its texts and columns. Secrets are in clear. */
export interface WrittenRow {
  readonly doc: string
  readonly hidden: string | null
  readonly revision: string
  readonly search: string | null
  readonly columns: readonly SqlValue[]
}

function read(work: Work, place: RowKey): MaybePromise<Row | null> {
  const { statements, isNamedByOthers } = place.table
  const { forUpdate, forReference } = work.dialect
  const lock = work.isPatient ? forUpdate : isNamedByOthers ? forReference : ''
  const found = work.connection.first(`${statements.findToWrite}${lock}`, parametersOf(place))
  return andThen(found, (row) => seen(work, place, row ?? null))
}

/** Remembers a found row, and returns it. Throws if another transaction changed it since its last read. */
function seen(work: Work, place: RowKey, row: Row | null): Row | null {
  const before = work.known.get(place)
  if (before !== undefined && String(contentOf(row)) !== String(contentOf(before))) {
    throw new SerializationConflict()
  }
  work.known.set(place, row)
  return row
}

/** Writes a new or changed instance. Throws `UniqueViolation` if another one has the value of a unique field. */
export function saveInstance(
  work: Work,
  place: RowKey,
  instance: JsonObject,
  hiddenFields: JsonObject | null,
): MaybePromise<Stored> {
  const written = writtenOf(place.table, instance, hiddenFields)
  const refused = async (error: unknown): Promise<never> => {
    throw await taken(work, place, written, error)
  }
  try {
    const saving = place.table.hasUnique
      ? work.connection.attempt(() => write(work, place, written))
      : write(work, place, written)
    return andThen(saving, () => saved(work, place, written), refused)
  } catch (error) {
    return refused(error)
  }
}

/** Records a write, and returns the instance. */
function saved(work: Work, place: RowKey, written: WrittenRow): Stored {
  const { table, account, key } = place
  work.known.delete(place)
  work.effects.changed.add(table.qualifiedName)
  const { doc, hidden, revision } = written
  const parent = table.nested ? (key.parent ?? null) : null
  return { account, parent, id: key.id, doc, hidden, revision }
}

/** Removes an instance with its nested ones; returns false if it did not exist. */
export async function removeInstance(work: Work, place: RowKey): Promise<boolean> {
  const { connection, effects, known } = work
  // Locks do not stop a reference by a task that shares this transaction.
  if (work.isTogether) throw new SerializationConflict()
  const { table, account, key } = place
  const before = known.get(place) ?? null
  if (table.nestedTables.length > 0) known.clear()
  else known.delete(place)
  const removed =
    before === null
      ? await connection.run(table.statements.remove, parametersOf(place))
      : await connection.run(table.statements.removeKnown, [
          ...parametersOf(place),
          ...contentOf(before),
        ])
  if (removed === 0 && before !== null) throw new SerializationConflict()
  if (removed === 0) return false
  effects.changed.add(table.qualifiedName)
  for (const { statements, qualifiedName } of table.nestedTables) {
    const gone = await connection.run(statements.removeNested, [cellOf(account), account, key.id])
    if (gone > 0) effects.changed.add(qualifiedName)
  }
  return true
}

/** Returns the stored form of an instance. */
export function writtenOf(
  table: CataloguedTable,
  instance: JsonObject,
  hidden: JsonObject | null,
): WrittenRow {
  const doc = JSON.stringify(instance)
  return {
    doc,
    hidden: hidden === null ? null : JSON.stringify(hidden),
    revision: revisionOf(doc),
    search: searchText(table.collection, instance),
    columns: table.columns.map((column) => columnValue(column, instance, hidden)),
  }
}

function write(work: Work, place: RowKey, written: WrittenRow): MaybePromise<void> {
  const before = work.known.get(place)
  if (before !== null && before !== undefined) return update(work, place, written, before)
  const inserted = work.connection.run(place.table.statements.insert, insertedOf(place, written))
  return andThen(inserted, (count) => {
    if (count > 0) return
    // It did not exist when this transaction read it.
    if (before === null) throw new SerializationConflict()
    return overwrite(work, place, written)
  })
}

/** Overwrites an instance that this transaction has not read. */
async function overwrite(work: Work, place: RowKey, written: WrittenRow): Promise<void> {
  const existing = await read(work, place)
  if (existing === null) throw new SerializationConflict()
  if ((work.listed?.get(nameOf(place)) ?? existing[2]) !== existing[2])
    throw new SerializationConflict()
  await update(work, place, written, existing)
}

/** Returns the parameters of an insert statement. */
export function insertedOf(
  place: RowKey,
  { doc, hidden, revision, search, columns }: WrittenRow,
): readonly SqlValue[] {
  const text = storedText(place.table, place.key.id, doc)
  const secured = encryptedHidden(place, hidden)
  return [...parametersOf(place), revision, secured, ...columns, text, search]
}

/** Returns a text as its row holds it. */
export function storedText(
  { isPacked }: Pick<CataloguedTable, 'isPacked'>,
  id: string,
  doc: string,
): string {
  return isPacked ? packedText(id, doc) : doc
}

/** Number of values before the columns: the served text, the hidden text and the revision. */
const beforeColumns = 3

/** Writes the differences from the row, in which the columns follow the texts. */
export async function update(
  { connection }: Pick<Work, 'connection'>,
  place: RowKey,
  { doc, hidden, revision, search, columns }: WrittenRow,
  row: Row,
): Promise<void> {
  const { table } = place
  const changed: Column[] = []
  const params: SqlValue[] = []
  for (const [index, column] of table.columns.entries()) {
    const value = columns[index] ?? null
    if (row[beforeColumns + index] === value) continue
    changed.push(column)
    params.push(value)
  }
  const searchChanged = row[beforeColumns + table.columns.length] !== search
  if (searchChanged) params.push(search)
  params.push(
    revision,
    encryptedHidden(place, hidden),
    storedText(place.table, place.key.id, doc),
    ...parametersOf(place),
    ...contentOf(row),
  )
  const statement = table.statements.update(changed, searchChanged)
  if ((await connection.run(statement, params)) === 0) throw new SerializationConflict()
}

/** Returns the values that any change of a row changes: its revision and its hidden text. */
function contentOf(row: Row | null): readonly SqlValue[] {
  return row === null ? [] : [sqlValueIn(row[2]), sqlValueIn(row[1])]
}

/**
 * Converts the violation of a unique column. If several are violated, databases report any of them; the
 * first in the declaration is named.
 */
async function taken(
  { connection, dialect }: Work,
  place: RowKey,
  { columns }: WrittenRow,
  error: unknown,
): Promise<unknown> {
  if (dialect.violatedRule(error) === null) return error
  const { table, account } = place
  const [within, own] = table.collection.owned
    ? ['', []]
    : ['cell = ? and account = ? and ', [cellOf(account), account]]
  const itself = table.key.map((name) => `${name} = ?`).join(' and ')
  for (const [index, column] of table.columns.entries()) {
    const value = columns[index] ?? null
    if (!column.unique || value === null) continue
    const holder = await connection.first(
      `select id from ${table.sql} where ${within}${column.sql} = ? and not (${itself})`,
      [...own, value, ...parametersOf(place)],
    )
    if (holder !== undefined) return new UniqueViolation(column.path.join('.'))
  }
  return error
}

/** Returns the parameters of statements on one instance. */
export function parametersOf({ table, account, key }: RowKey): readonly SqlValue[] {
  return [cellOf(account), account, ...placeIn(table, key)]
}
