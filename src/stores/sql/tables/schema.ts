import type { Dialect } from '../dialect.ts'
import { quoted, shortened } from './identifier.ts'
import { type Column, indexName, type Table } from './table.ts'

/** Grows with every change of the tables below that an older version could not work with. */
export const schemaVersion = 3

/** The tables that do not depend on declarations. */
export function fixedTables({ clustered, position, serial }: Dialect): readonly string[] {
  return [
    `create table if not exists meta (name text primary key, value text not null)`,
    `create table if not exists declarations (
      collection text primary key, declared text not null, unfinished text) ${clustered}`,
    `create table if not exists submissions (
      account text not null, message text not null, due_at bigint not null,
      attempt bigint not null, uncertain bigint not null,
      lane text not null default '', priority bigint not null default 1, late_at bigint, claimed_by text,
      primary key (account, message)) ${clustered}`,
    `create index if not exists submissions_place
      on submissions (lane, priority, due_at, account, message)`,
    `create index if not exists submissions_late on submissions (late_at) where late_at is not null`,
    `create table if not exists receipts (
      carrier text not null, carrier_message_id text not null,
      account text not null, message text not null, part bigint not null,
      settled bigint not null, expires_at bigint not null, outcome text, detail text,
      primary key (carrier, carrier_message_id)) ${clustered}`,
    `create index if not exists receipts_message on receipts (account, message, part)`,
    `create index if not exists receipts_expiry on receipts (settled, expires_at)`,
    `create table if not exists early_receipts (
      place ${serial}, carrier text not null, carrier_message_id text not null,
      outcome text not null, detail text, received_at bigint not null)`,
    `create index if not exists early_receipts_part on early_receipts (carrier, carrier_message_id)`,
    `create index if not exists early_receipts_age on early_receipts (received_at)`,
    `create table if not exists incoming_parts (
      carrier text not null, sender text not null, recipient text not null, reference text not null,
      total bigint not null, part bigint not null, content text not null,
      joined bigint not null, expires_at bigint not null,
      primary key (carrier, sender, recipient, reference, total, part)) ${clustered}`,
    `create index if not exists incoming_parts_expiry on incoming_parts (joined, expires_at)`,
    `create table if not exists consumers (
      account text not null, webhook text not null, position ${position.type} not null,
      progress text not null, owner text, fence bigint not null, held_until bigint not null,
      primary key (account, webhook)) ${clustered}`,
    `create table if not exists set_aside (
      account text not null, webhook text not null, position ${position.type} not null,
      at bigint not null, primary key (account, webhook, position)) ${clustered}`,
    `create index if not exists set_aside_age on set_aside (at)`,
    `create table if not exists answers (
      place ${serial}, account text not null, owner text not null, name text not null,
      fingerprint text not null, answer text not null, expires_at bigint not null,
      unique (account, owner, name))`,
    `create index if not exists answers_expiry on answers (expires_at)`,
    `create table if not exists senders (
      address text primary key, account text not null, sent_at bigint not null) ${clustered}`,
    ...nodeTables(clustered),
    ...countTables(clustered),
  ]
}

/** What nodes know of each other, and share. */
function nodeTables(clustered: string): readonly string[] {
  return [
    `create table if not exists nodes (
      id text primary key, roles text not null, told text not null, held_until bigint not null)
      ${clustered}`,
    `create table if not exists leases (
      name text primary key, owner text not null, fence bigint not null, held_until bigint not null)
      ${clustered}`,
    `create table if not exists buckets (
      name text primary key, tokens bigint not null, filled_at bigint not null) ${clustered}`,
  ]
}

/** What is counted beside the instances that it is counted of. */
function countTables(clustered: string): readonly string[] {
  return [
    `create table if not exists credits (account text primary key, micros bigint not null) ${clustered}`,
    `create table if not exists tallies (
      account text not null, subject text not null, name text not null, count bigint not null,
      primary key (account, subject, name)) ${clustered}`,
  ]
}

/** The notification log where one transaction writes at a time, so that numbers are in the order of the commits. */
export function countedLog({ serial }: Dialect): readonly string[] {
  return [
    `create table if not exists log (
      place ${serial}, account text not null, at bigint not null, type text not null,
      status text not null, message text not null, record text not null)`,
    `create index if not exists log_account on log (account, place, type, status)`,
  ]
}

/** An index and the text that makes it. */
export interface Index {
  readonly name: string
  readonly sql: string
}

/** The statement that makes the table of a collection. */
export function tableDefinition(dialect: Dialect, table: Table): string {
  const parent = table.nested ? 'parent text not null, ' : ''
  const columns = table.columns.map((column) => `${columnDefinition(dialect, column)}, `).join('')
  const key = table.nested ? 'account, parent, id' : 'account, id'
  return `create table if not exists ${table.sql} (
    place ${dialect.rowPlace}, account text not null, ${parent}id text not null, revision text not null, hidden text,
    ${columns}doc text not null, search text, unique (${key}))`
}

/** A column as it stands in a definition. */
export function columnDefinition(dialect: Dialect, column: Table['columns'][number]): string {
  return `${column.sql} ${dialect.columnType(column.kind)}`.trimEnd()
}

/**
 * The indexes of a collection's table. Those of an owned collection do not begin with the account,
 * since its instances are also looked for over all accounts; that of a reference does not go on with
 * the parent, since whoever refers to an instance is looked for in all of them.
 */
export function indexesOf(table: Table): readonly Index[] {
  const { collection, columns, sql } = table
  const byColumn = columns.map((column) => {
    const name = indexName(table, column)
    const within = collection.owned ? '' : 'account, '
    if (column.unique) return index('unique index', name, `${sql} (${within}${column.sql})`)
    return index('index', name, `${sql} (${orderOf(table, column)})`)
  })
  if (!collection.owned) return byColumn
  return [...byColumn, index('index', shortened(`i/${table.name}/id`), `${sql} (id, account)`)]
}

/** What the index of a column that is not unique is ordered by. */
function orderOf({ collection, nested }: Table, { kind, sql }: Column): string {
  if (collection.owned) return `${sql}, account, id`
  if (!nested) return `account, ${sql}, id`
  return kind === 'reference' ? `account, ${sql}, parent, id` : `account, parent, ${sql}, id`
}

/** Names of our indexes begin so. */
export const indexPrefixes: readonly string[] = ['i/', 'u/']

function index(kind: string, name: string, on: string): Index {
  return { name, sql: `create ${kind} ${quoted(name)} on ${on}` }
}
