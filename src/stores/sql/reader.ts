import { type AccountId, accountId, type AccountReach, everyAccount } from '../../core/account.ts'
import type { Collection } from '../../core/collection.ts'
import type { Query } from '../../core/query.ts'
import type { Filter, Key, Reader, Stored } from '../../core/store.ts'
import type { Catalogue, CataloguedTable } from './catalogue.ts'
import type { Connection, Row, SqlValue } from './connection.ts'
import { findConsumer } from './consumers.ts'
import type { Dialect } from './dialect.ts'
import { countStatement } from './list.ts'
import { type Effort, page } from './page.ts'
import type { Scope } from './route.ts'
import { numberIn, textIn, textOrNullIn } from './row.ts'

/** What a session works with. */
export interface Session {
  readonly connection: Connection
  readonly catalogue: Catalogue
  readonly dialect: Dialect
  readonly effort: Effort
}

/** Reads instances of one account, or of all. */
export function sqlReader(session: Session, account: AccountReach): Reader {
  return {
    account,
    find: (collection, key) =>
      account === everyAccount
        ? findAnywhere(session, collection, key)
        : find(session, collection, account, key),
    list: (collection, parent, query) => list(session, collection, { account, parent }, query),
    count: (collection, parent, filter) => count(session, collection, { account, parent }, filter),
    findConsumer: (owner, webhookId) => findConsumer(session.connection, owner, webhookId),
  }
}

/** Finds the row of an instance: its texts. */
export function findRow(
  { connection }: Session,
  table: CataloguedTable,
  account: AccountId,
  key: Key,
): Promise<Row | undefined> {
  return connection.first(table.statements.find, [account, ...placeIn(table, key)])
}

/** The parameters that stand for the place of an instance within an account. */
export function placeIn(table: CataloguedTable, key: Key): readonly SqlValue[] {
  return table.nested ? [key.parent ?? '', key.id] : [key.id]
}

/** The instance whose texts a row begins with. */
export function storedIn(
  row: Row,
  table: CataloguedTable,
  account: AccountId,
  { id, parent }: Key,
): Stored {
  const [doc, hidden, revision] = row
  return {
    account,
    parent: table.nested ? (parent ?? null) : null,
    id,
    doc: textIn(doc),
    hidden: textOrNullIn(hidden),
    revision: textIn(revision),
  }
}

async function find(
  session: Session,
  collection: Collection,
  account: AccountId,
  key: Key,
): Promise<Stored | null> {
  const table = session.catalogue.of(collection)
  const row = await findRow(session, table, account, key)
  return row === undefined ? null : storedIn(row, table, account, key)
}

async function findAnywhere(
  { connection, catalogue }: Session,
  collection: Collection,
  key: Key,
): Promise<Stored | null> {
  const table = catalogue.of(collection)
  const row = await connection.first(table.statements.findAnywhere, placeIn(table, key))
  return row === undefined ? null : storedIn(row, table, accountId(textIn(row[3])), key)
}

async function list(
  session: Session,
  collection: Collection,
  scope: Scope,
  query: Query,
): Promise<readonly Stored[]> {
  const table = session.catalogue.of(collection)
  const rows = await page(session, table, scope, query)
  return rows.map((row) => listedIn(row, table, scope))
}

/** A row of a page: the texts, the id, then what is not the same for the whole page. */
function listedIn(row: Row, table: CataloguedTable, scope: Scope): Stored {
  const [, , , id, parent, owner] = row
  const account = scope.account === everyAccount ? accountId(textIn(owner)) : scope.account
  const place = { id: textIn(id), parent: scope.parent ?? (table.nested ? textIn(parent) : null) }
  return storedIn(row, table, account, place)
}

async function count(
  { connection, catalogue, dialect }: Session,
  collection: Collection,
  scope: Scope,
  filter: Filter,
): Promise<number> {
  const { sql, params } = countStatement(dialect, catalogue.of(collection), scope, filter)
  const row = await connection.first(sql, params)
  return row === undefined ? 0 : numberIn(row[0])
}
