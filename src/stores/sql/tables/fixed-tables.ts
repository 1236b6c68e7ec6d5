import { isServed } from '../../../core/declaration/collection.ts'
import { DeclarationError } from '../../../core/declaration/declaration-error.ts'
import type { Dialect } from '../dialect.ts'
import { quoted, shortened } from './identifier.ts'
import { type Column, indexName, type Table } from './table.ts'

/**
 * The tables that do not depend on declarations. Those that grow with accounts begin with the cell. One index of
 * receipts does not: PostgreSQL must not see an order in it by which a part could be settled.
 */
export function fixedTables({ clustered, serial }: Dialect): readonly string[] {
  return [
    `create table if not exists meta (name text primary key, value text not null)`,
    `create table if not exists declarations (
      collection text primary key, declared text not null, unfinished text) ${clustered}`,
    `create table if not exists submissions (
      cell smallint not null, account text not null, message text not null, queue text not null,
      priority smallint not null, due_at bigint not null, late_at bigint, attempt integer not null,
      claimed_until bigint, claimed_by text, primary key (cell, account, message)) ${clustered}`,
    `create index if not exists submissions_queue on submissions (queue, priority, due_at)`,
    `create index if not exists submissions_late on submissions (late_at) where late_at is not null`,
    `create table if not exists receipts (
      cell smallint not null, account text not null,
      carrier text not null, carrier_message_id text not null, message text not null, part bigint not null,
      settled bigint not null, expires_at bigint not null, outcome text, detail text,
      primary key (carrier, carrier_message_id, cell)) ${clustered}`,
    `create index if not exists receipts_message on receipts (account, message, part)`,
    `create index if not exists receipts_expiry on receipts (settled, expires_at)`,
    ...['receipt_routes', 'stray_routes'].flatMap((name) => [
      `create table if not exists ${name} (
        cell smallint not null, carrier text not null, carrier_message_id text not null,
        account text not null, expires_at bigint not null,
        primary key (cell, carrier, carrier_message_id)) ${clustered}`,
      `create index if not exists ${name}_expiry on ${name} (expires_at)`,
    ]),
    `create table if not exists unmatched_receipts (
      row_id ${serial}, carrier text not null, carrier_message_id text not null,
      outcome text not null, detail text, code text, received_at bigint not null)`,
    `create index if not exists unmatched_receipts_part
      on unmatched_receipts (carrier, carrier_message_id)`,
    `create index if not exists unmatched_receipts_age on unmatched_receipts (received_at)`,
    `create table if not exists senders (
      cell smallint not null, address text not null, account text not null, sent_at bigint not null,
      primary key (cell, address, account)) ${clustered}`,
    `create index if not exists senders_age on senders (sent_at)`,
    ...webhookTables(clustered),
    `create table if not exists leases (
      name text primary key, owner text not null, lease_expires_at bigint not null, value text not null
    ) ${clustered}`,
    `create table if not exists counters (
      cell smallint not null, account text not null, subject text not null, name text not null,
      count bigint not null, primary key (cell, account, subject, name)) ${clustered}`,
  ]
}

/** The progress of webhooks in the log, and the last number that each account's log has lost. */
function webhookTables(clustered: string): readonly string[] {
  return [
    `create table if not exists log_heads (
      cell smallint not null, account text not null, position bigint not null,
      primary key (cell, account)) ${clustered}`,
    `create table if not exists consumers (
      cell smallint not null, account text not null, webhook text not null, position bigint not null,
      progress text not null, owner text, fencing_token bigint not null, lease_expires_at bigint not null,
      primary key (cell, account, webhook)) ${clustered}`,
    `create table if not exists dead_letters (
      cell smallint not null, account text not null, webhook text not null, position bigint not null,
      at bigint not null, primary key (cell, account, webhook, position)) ${clustered}`,
    `create index if not exists dead_letters_age on dead_letters (at)`,
  ]
}

/** The columns of the notification log. A position is the number of an entry within its account. */
export const logColumns = `
  cell smallint not null, parts smallint, account text not null, position bigint not null, at bigint not null,
  cost_micros bigint, type text not null, status text not null, message text not null, record text not null,
  correlation text, carrier text`

/** The index by which the log is read: filters are decided in it alone. */
export const logIndex =
  'create index if not exists log_account on log (cell, account, position, type, status)'

/** An index and the text that makes it. */
export interface Index {
  readonly name: string
  readonly sql: string
}

/** The statement that makes the table of a collection. */
export function tableDefinition(dialect: Dialect, table: Table): string {
  const parent = table.nested ? 'parent text not null, ' : ''
  const columns = table.columns.map((column) => `${columnDefinition(dialect, column)}, `).join('')
  return `create table if not exists ${table.sql} (
    cell smallint not null, account text not null, ${parent}id text not null,
    ${columns}search text, revision text not null, hidden text, doc text not null,
    primary key (${table.key.join(', ')}))`
}

/** Returns the definition of a column. */
export function columnDefinition(dialect: Dialect, column: Table['columns'][number]): string {
  return `${column.sql} ${dialect.columnType(column.kind)}`.trimEnd()
}

/**
 * Returns the indexes of a collection's table. Those of an owned collection do not begin with the account,
 * since lookups also span all accounts. That of a reference does not include the parent, since a lookup of
 * referring instances spans all parents.
 */
export function indexesOf(table: Table): readonly Index[] {
  const { collection, columns, sql } = table
  const byColumn = columns.map((column) => {
    const name = indexName(table, column)
    const within = collection.owned ? '' : 'cell, account, '
    const present = ` where ${column.sql} is not null`
    // Without the rows that have no value it is no smaller way to a row than the primary key.
    if (column.unique)
      return index('unique index', name, `${sql} (${within}${column.sql})${present}`)
    const held = column.only === null ? '' : present
    return index('index', name, `${sql} (${orderOf(table, column)})${held}`)
  })
  if (!collection.owned || !isServed(collection)) return byColumn
  return [...byColumn, index('index', shortened(`i/${table.name}/id`), `${sql} (id, account)`)]
}

/** Returns the columns that order the index of a column that is not unique. */
function orderOf({ collection, nested }: Table, { kind, sql }: Column): string {
  if (collection.owned) return `${sql}, account, id`
  if (!nested) return `cell, account, ${sql}, id`
  return kind === 'reference'
    ? `cell, account, ${sql}, parent, id`
    : `cell, account, parent, ${sql}, id`
}

/** Returns the names of the columns that have a new index and are not unique. */
export function newlyIndexed(table: Table, missing: readonly Index[]): readonly string[] {
  return table.columns
    .filter((column) => !column.unique)
    .filter((column) => missing.some(({ name }) => name === indexName(table, column)))
    .map(({ name }) => name)
}

/** Returns the error for a column that is declared unique, though two instances have the same value. */
export function notUnique(
  { qualifiedName }: Table,
  { path }: Column,
  one: unknown,
  other: unknown,
): DeclarationError {
  return new DeclarationError('The declarations, compared with the store', [
    {
      path: `${qualifiedName}.fields.${path.join('.')}`,
      detail:
        'is declared unique now, and instances have the same value, such as ' +
        `${String(one)} and ${String(other)}. Change one of them first, or leave unique out.`,
    },
  ])
}

/** Returns the query for two instances with the same value of a column. */
export function repeatedValue({ sql, collection }: Table, column: Column): string {
  return `select min(id) as one, max(id) as other from ${sql} where ${column.sql} is not null
    group by ${collection.owned ? '' : 'cell, account, '}${column.sql} having count(*) > 1 limit 1`
}

/** Names of our indexes begin so. */
export const indexPrefixes: readonly string[] = ['i/', 'u/']

function index(kind: string, name: string, on: string): Index {
  return { name, sql: `create ${kind} ${quoted(name)} on ${on}` }
}

/** The tables besides the log and those of collections whose rows belong to an account. */
export const ownedTables = [
  'submissions',
  'receipts',
  'consumers',
  'dead_letters',
  'counters',
] as const
