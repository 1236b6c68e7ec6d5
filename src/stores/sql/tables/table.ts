import { type Collection, isServed, qualifiedName } from '../../../core/declaration/collection.ts'
import type { Field, Fields } from '../../../core/declaration/field.ts'
import type { JsonObject } from '../../../core/json.ts'
import { fieldAt, valueAt } from '../../field-at.ts'
import type { Dialect } from '../dialect.ts'
import type { SqlValue } from '../connection.ts'
import { identifier, quoted, shortened } from './identifier.ts'
import type { Unfinished } from '../declarations/unfinished.ts'

/** A column outside the documents, with the value of an indexed or unique field. */
export interface Column {
  /** The plain name; `sql` is the name as a SQL identifier. */
  readonly name: string
  readonly sql: string
  readonly path: readonly string[]
  readonly source: 'doc' | 'hidden'
  readonly kind: Field['kind']
  readonly unique: boolean
  /** The only values that it holds: in rows with another one it is null. Null if it holds all. */
  readonly only: readonly string[] | null
}

/** The table of a collection. */
export interface Table {
  readonly collection: Collection
  readonly qualifiedName: string
  readonly name: string
  readonly sql: string
  /** The column with the id. */
  readonly id: string
  readonly nested: boolean
  /** The columns that name a row, in the order of its parameters. */
  readonly key: readonly string[]
  readonly columns: readonly Column[]
  /** Its texts are stored shortened. */
  readonly isPacked: boolean
  /** Unfinished changes of rows of an earlier declaration; null if every row is of this one. */
  readonly unfinished: Unfinished | null
}

/** The first part of the name of every collection's table. */
export const tablePrefix = 'c/'

/** The names of a collection's table, and of the columns that name a row. */
export function tableNamesOf(collection: Collection): Pick<Table, 'name' | 'sql' | 'key'> {
  const name = identifier(`${tablePrefix}${qualifiedName(collection)}`)
  const key = ['cell', 'account', ...(collection.parent === null ? [] : ['parent']), 'id']
  return { name, sql: quoted(name), key }
}

/** The table of a collection. */
export function tableOf(
  collection: Collection,
  dialect: Pick<Dialect, 'copiesRows'>,
  unfinished: Unfinished | null,
): Table {
  const columns = columnsIn(collection, collection.fields, []).map((column) =>
    dialect.copiesRows ? column : { ...column, only: null },
  )
  return {
    ...tableNamesOf(collection),
    collection,
    qualifiedName: qualifiedName(collection),
    id: 'id',
    nested: collection.parent !== null,
    columns: [...columns, ...ageColumn(collection)],
    isPacked: dialect.copiesRows && isMessages(collection),
    unfinished,
  }
}

/** Returns true for the messages: they have submissions, and their texts alone are large and much written. */
export function isMessages(collection: Collection): boolean {
  return qualifiedName(collection) === 'messages'
}

/** Returns the SQL expression of the text in which the values of fields are looked up. */
export function textSource(
  { unpacked }: Pick<Dialect, 'unpacked'>,
  collection: Collection,
  source: Column['source'],
): string {
  return source === 'doc' && isMessages(collection) ? unpacked(source) : source
}

/** The column of a field, if it has one in which every row has its value. */
export function columnAt(table: Table, path: readonly string[]): Column | undefined {
  const column = filledColumn(table, path)
  return column?.only === null ? column : undefined
}

/** The column by which the rows are found that have one of these values in a field, if there is one. */
export function columnFor(
  table: Table,
  path: readonly string[],
  values: readonly unknown[],
): Column | undefined {
  const column = filledColumn(table, path)
  const only: readonly unknown[] | null | undefined = column?.only
  return only === null || (values.length > 0 && values.every((value) => only?.includes(value)))
    ? column
    : undefined
}

function filledColumn(table: Table, path: readonly string[]): Column | undefined {
  const name = path.join('.')
  const column = table.columns.find((candidate) => candidate.path.join('.') === name)
  const isFilled = column !== undefined && !table.unfinished?.columns.includes(column.name)
  return isFilled ? column : undefined
}

/** Returns true if an index finds texts in the searched text. An incomplete one is not used. */
export function isSearchIndexed({ collection, unfinished }: Table): boolean {
  return collection.searchIndex === true && unfinished?.search !== true
}

/** The name of the index of a column, which says whether it is unique, and which values it has. */
export function indexName(table: Table, { name, unique, only }: Column): string {
  const values = only === null ? '' : `=${only.join()}`
  return shortened(`${unique ? 'u' : 'i'}/${table.name}/${name}${values}`)
}

/** Returns the value of a column for an instance. */
export function columnValue(
  column: Column,
  instance: JsonObject,
  hidden: JsonObject | null,
): SqlValue {
  const value = sqlValue(valueAt(column.source === 'doc' ? instance : hidden, column.path))
  return column.only === null || column.only.some((each) => each === value) ? value : null
}

/** Returns a scalar as it is bound and stored: booleans are 1 and 0; null for other values. */
export function sqlValue(value: unknown): SqlValue {
  if (typeof value === 'boolean') return value ? 1 : 0
  return typeof value === 'string' || typeof value === 'number' ? value : null
}

/** Every list of clients can be had by age. Nested ones are short, or in order of age by their ids. */
function ageColumn(collection: Collection): readonly Column[] {
  if (collection.parent !== null || !isServed(collection)) return []
  const name = identifier('f/createdAt')
  const path = ['createdAt']
  return [
    { name, sql: quoted(name), path, source: 'doc', kind: 'timestamp', unique: false, only: null },
  ]
}

/** The indexed fields of a declaration, those inside objects included. */
function columnsIn(
  collection: Collection,
  fields: Fields,
  above: readonly string[],
): readonly Column[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const path = [...above, name]
    if (field.live === true) return []
    if (field.kind === 'object') return columnsIn(collection, field.properties, path)
    if (field.kind === 'array' || field.kind === 'map') return []
    const only = field.kind === 'choice' ? (field.indexedValues ?? null) : null
    if (field.indexed !== true && field.unique !== true && only === null) return []
    const column = identifier(`f/${path.join('.')}`)
    return {
      name: column,
      sql: quoted(column),
      path,
      source: fieldAt(collection, path).source,
      kind: field.kind,
      unique: field.unique === true,
      only,
    }
  })
}
