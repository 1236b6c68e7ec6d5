import { DatabaseSync } from 'node:sqlite'
import { aMessage } from './rows.ts'

/** A message in columns: nested values stand beside the others, `history` is left out. */
export const columns = [
  'id',
  'type',
  'from',
  'to',
  'body',
  'encoding',
  'protocolId',
  'messageClass',
  'numberOfParts',
  'creditCost',
  'submissionId',
  'submissionDate',
  'statusId',
  'statusType',
  'userSuppliedId',
  'carrier',
  'createdAt',
  'updatedAt',
] as const

type Column = (typeof columns)[number]

/** A message, flat. */
export type FlatMessage = Readonly<Record<Column, string | number | null>>

const numbers: readonly string[] = ['protocolId', 'messageClass', 'numberOfParts', 'creditCost']

/** Those that hold text. */
export const textColumns: ReadonlySet<string> = new Set(
  columns.filter((name) => !numbers.includes(name)),
)

/** The message that `aMessage` makes, flat, under the identifier given. */
export function flatMessage(index: number, rows: number, id?: string): FlatMessage {
  const { submission, status, ...rest } = aMessage(index, rows) as Record<Column, string> & {
    readonly submission: { readonly id: string; readonly date: string }
    readonly status: { readonly id: string; readonly type: string }
  }
  const flat: Record<string, string | number | null> = {
    ...rest,
    id: id ?? rest.id,
    submissionId: submission.id,
    submissionDate: submission.date,
    statusId: status.id,
    statusType: status.type,
  }
  return Object.fromEntries(columns.map((name) => [name, flat[name] ?? null])) as FlatMessage
}

/** Makes a table of messages in a SQLite file, with the indexes that the questions of the bench call for. */
export function makeTable(file: string, rows: number): void {
  using database = new DatabaseSync(file)
  const declared = columns.map((name) => {
    const type = textColumns.has(name) ? 'text' : 'real'
    return `"${name}" ${type}${name === 'id' ? ' primary key' : ''}`
  })
  database.exec(`create table messages (${declared.join(', ')})`)
  fillTable(database, rows, (index) => flatMessage(index, rows))
  indexTable(database)
}

/** The indexes by which the lists of the bench are read. */
export function indexTable(database: DatabaseSync): void {
  database.exec('create index messages_by_status on messages (statusType, id)')
  database.exec('create index messages_by_recipient on messages ("to")')
  database.exec('analyze')
}

/** Puts rows into a table that is there. */
export function fillTable(
  database: DatabaseSync,
  rows: number,
  make: (index: number) => FlatMessage,
): void {
  const names = columns.map((name) => `"${name}"`).join(', ')
  const places = columns.map(() => '?').join(', ')
  const insert = database.prepare(`insert into messages (${names}) values (${places})`)
  database.exec('begin')
  for (let index = 0; index < rows; index += 1) {
    const message = make(index)
    insert.run(...columns.map((name) => message[name]))
  }
  database.exec('commit')
}
