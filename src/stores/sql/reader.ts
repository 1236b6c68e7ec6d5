import { type AccountReach, accountId, everyAccount } from '../../core/account.ts'
import type { Collection } from '../../core/collection.ts'
import type { Query } from '../../core/query.ts'
import type { Filter, Key, Reader, Stored } from '../../core/store.ts'
import type { Catalogue, CataloguedTable } from './catalogue.ts'
import type { Connection, Row, SqlValue } from './connection.ts'
import { findConsumer } from './consumers.ts'
import type { Dialect } from './dialect.ts'
import { countStatement, pageStatements, type Scope } from './list.ts'
import { numberIn, textIn, textOrNullIn } from './row.ts'

/** What a session works with. */
export interface Session {
  readonly connection: Connection
  readonly catalogue: Catalogue
  readonly dialect: Dialect
}

/** Reads instances of one account, or of all. */
export function sqlReader(session: Session, account: AccountReach): Reader {
  return {
    account,
    find: async (collection, key) => {
      const table = session.catalogue.of(collection)
      const row = await findRow(session.connection, table, account, key)
      return row === undefined ? null : storedIn(row, table, key)
    },
    list: (collection, parent, query) => list(session, collection, { account, parent }, query),
    count: (collection, parent, filter) => count(session, collection, { account, parent }, filter),
    findConsumer: (owner, webhookId) => findConsumer(session.connection, owner, webhookId),
  }
}

/** Finds the row of an instance, with its columns. */
export function findRow(
  connection: Connection,
  table: CataloguedTable,
  account: AccountReach,
  key: Key,
): Promise<Row | undefined> {
  return account === everyAccount
    ? connection.first(table.statements.findAnywhere, placeIn(table, key))
    : connection.first(table.statements.find, [account, ...placeIn(table, key)])
}

/** The parameters that stand for the place of an instance within an account. */
export function placeIn(table: CataloguedTable, key: Key): readonly SqlValue[] {
  return table.nested ? [key.parent ?? '', key.id] : [key.id]
}

/** The instance that a row of `findRow` holds. */
export function storedIn(row: Row, table: CataloguedTable, key: Key): Stored {
  return {
    account: accountId(textIn(row, 'account')),
    parent: table.nested ? (key.parent ?? null) : null,
    id: key.id,
    doc: textIn(row, 'doc'),
    hidden: textOrNullIn(row, 'hidden'),
    revision: textIn(row, 'revision'),
  }
}

async function list(
  { connection, catalogue, dialect }: Session,
  collection: Collection,
  scope: Scope,
  query: Query,
): Promise<readonly Stored[]> {
  const table = catalogue.of(collection)
  const found: Stored[] = []
  for (const { sql, params } of pageStatements(dialect, table, scope, query)) {
    const left = query.limit - found.length
    if (left <= 0) break
    const offset = 'offset' in query.start ? query.start.offset : 0
    const rows = await connection.all(`${sql} limit ? offset ?`, [...params, left, offset])
    for (const row of rows) found.push(listedIn(row, table, scope))
  }
  return found
}

function listedIn(row: Row, table: CataloguedTable, { account, parent }: Scope): Stored {
  return {
    account: account === everyAccount ? accountId(textIn(row, 'account')) : account,
    parent: table.nested ? (parent ?? textIn(row, 'parent')) : null,
    id: textIn(row, 'id'),
    doc: textIn(row, 'doc'),
    hidden: textOrNullIn(row, 'hidden'),
    revision: textIn(row, 'revision'),
  }
}

async function count(
  { connection, catalogue, dialect }: Session,
  collection: Collection,
  scope: Scope,
  filter: Filter,
): Promise<number> {
  const { sql, params } = countStatement(dialect, catalogue.of(collection), scope, filter)
  const row = await connection.first(sql, params)
  return row === undefined ? 0 : numberIn(row, 'n')
}
