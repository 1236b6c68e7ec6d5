import {
  type AccountId,
  accountId,
  type AccountReach,
  everyAccount,
} from '../../../core/account.ts'
import { idempotentResponses } from '../../../core/declaration/idempotent-responses.ts'
import type { Usage, UsageKind } from '../../../core/ports/counters.ts'
import type { Collection } from '../../../core/declaration/collection.ts'
import type {
  RowFilter,
  InstanceKey,
  Reader,
  Stored,
  UniqueValue,
} from '../../../core/ports/store.ts'
import { cellOf } from '../../cell.ts'
import { findConsumer } from '../log/consumers.ts'
import { count, list } from '../lists/list.ts'
import { parametersOf } from './instances.ts'
import { numberIn, textIn, textOrNullIn, placeIn, storedIn } from './row.ts'
import type { SqlConnection } from '../connection.ts'
import type { Session } from '../session.ts'
import type { Scope } from '../tables/source.ts'
import { findCounters } from '../queues/counters.ts'
import { tableNamesOf } from '../tables/table.ts'
import { sendersFrom } from '../queues/senders.ts'

/** Reads instances of one account, or of all. */
export function sqlReader(session: Session, account: AccountReach): Reader {
  return {
    account,
    find: (collection, key) => {
      if ('field' in key) return findBy(session, collection, account, key)
      return account === everyAccount
        ? findAnywhere(session, collection, key)
        : find(session, collection, account, key)
    },
    list: async (collection, parent, query) =>
      list(
        session,
        session.catalogue.of(collection),
        scopeOf(session, account, parent, query),
        query,
      ),
    count: async (collection, parent, filter) =>
      count(
        session,
        session.catalogue.of(collection),
        scopeOf(session, account, parent, filter),
        filter,
      ),
    findConsumer: (owner, webhookId) => findConsumer(session.connection, owner, webhookId),
    findCounters: (owner, subjects) => findCounters(session, owner, subjects),
    usage: (owner, kind, after, rows) => usage(session.connection, owner, kind, after, rows),
    sendersFrom: (address, at, limit) => sendersFrom(session.connection, address, at, limit),
  }
}

/** Returns the scope of a list of an account. */
export function scopeOf(
  { catalogue }: Pick<Session, 'catalogue'>,
  account: AccountReach,
  parent: string | null,
  { members }: RowFilter,
): Scope {
  if (members === undefined) return { account, parent, members: null }
  const entries = catalogue.of(members.entries)
  return { account, parent, members: { entries, parent: members.parent } }
}

async function find(
  { connection, catalogue }: Session,
  collection: Collection,
  account: AccountId,
  key: InstanceKey,
): Promise<Stored | null> {
  const table = catalogue.of(collection)
  const row = await connection.first(table.statements.find, parametersOf({ table, account, key }))
  return row === undefined ? null : storedIn(row, table, account, key)
}

async function findAnywhere(
  { connection, catalogue }: Session,
  collection: Collection,
  key: InstanceKey,
): Promise<Stored | null> {
  const table = catalogue.of(collection)
  const row = await connection.first(table.statements.findAnywhere, placeIn(table, key))
  return row === undefined ? null : storedIn(row, table, accountId(textIn(row[3])), key)
}

async function findBy(
  { connection, catalogue }: Session,
  collection: Collection,
  account: AccountReach,
  { field, value }: UniqueValue,
): Promise<Stored | null> {
  const table = catalogue.of(collection)
  const statements = table.statements.findBy.get(field)
  if (statements === undefined) throw new Error(`${table.qualifiedName}: ${field} is not unique`)
  const row =
    account === everyAccount
      ? await connection.first(statements.anywhere, [value])
      : await connection.first(statements.inAccount, [value, cellOf(account), account])
  if (row === undefined) return null
  const place = { id: textIn(row[4]), parent: textOrNullIn(row[5]) }
  return storedIn(row, table, accountId(textIn(row[3])), place)
}

/** Measures a part of what an account uses: `rows` rows after a row. */
async function usage(
  connection: SqlConnection,
  account: AccountId,
  kind: UsageKind,
  after: string,
  rows: number,
): Promise<Usage> {
  const found = await connection.all(parts[kind], [cellOf(account), account, after, rows])
  const last = found.at(-1)
  const used = found.reduce((sum, [amount]) => sum + numberIn(amount ?? 0), 0)
  const next = last === undefined || found.length < rows ? null : textIn(last[1])
  return { used, next }
}

const responses = tableNamesOf(idempotentResponses).sql

const parts: Readonly<Record<UsageKind, string>> = {
  submissions: `select 1, message from submissions
    where cell = ? and account = ? and message > ? order by message limit ?`,
  idempotentResponses: `select octet_length(doc), id from ${responses}
    where cell = ? and account = ? and id > ? order by id limit ?`,
}
