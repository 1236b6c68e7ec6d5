import { type AccountId, accountId, everyAccount } from '../../core/account.ts'
import type { Transaction, Writer } from '../../core/store.ts'
import { anyPlace } from '../../core/submissions.ts'
import { addSubmission } from '../commit.ts'
import { findAnswer, keepAnswer } from './answers.ts'
import { sqlConsumers } from './consumers.ts'
import { sqlBuckets, sqlLeases, sqlNodes } from './coordination.ts'
import { countCredits, moveCredits } from './credits.ts'
import { sqlIncomingParts } from './incoming-parts.ts'
import { instances } from './instances.ts'
import { append } from './notification-log.ts'
import { ownedTables } from './owned-tables.ts'
import { nameOf } from './place.ts'
import { sqlReader } from './reader.ts'
import { forgetReceipts, sqlReceipts } from './receipts.ts'
import { textIn } from './row.ts'
import { sqlSubmissions, submit, withdraw } from './submissions.ts'
import { sqlTallies, writeTallies } from './tallies.ts'
import type { Work } from './work.ts'

/** Runs a task in a transaction over a connection on which one has been begun. */
export async function runTransaction<T>(
  work: Work,
  task: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  const result = await task(sqlTransaction(work))
  await writeTallies(work)
  await writeNotified(work)
  return result
}

function sqlTransaction(work: Work): Transaction {
  const everywhere = work.connection.within(everyAccount)
  const loops = { ...work, connection: everywhere }
  const writers = new Map<AccountId, Writer>()

  return {
    in: (account) => {
      const known = writers.get(account)
      if (known !== undefined) return known
      const writer = sqlWriter(work, account)
      writers.set(account, writer)
      return writer
    },
    everywhere: sqlReader(work, everyAccount),
    submissions: sqlSubmissions(loops),
    receipts: sqlReceipts(everywhere),
    incomingParts: sqlIncomingParts(everywhere),
    consumers: sqlConsumers(loops),
    nodes: sqlNodes(loops),
    leases: sqlLeases(everywhere),
    buckets: sqlBuckets(everywhere),
    erase: (account) => erase(loops, account),
    lastSender: async (address) => {
      const row = await everywhere.first(lastSender, [address])
      return row === undefined ? null : accountId(textIn(row[0]))
    },
  }
}

function sqlWriter(whole: Work, account: AccountId): Writer {
  const connection = whole.connection.within(account)
  const work = { ...whole, connection }
  const { effects } = work
  const { findBy, list, count, findConsumer, findCredits } = sqlReader(work, account)
  return {
    ...instances(work, account),
    account,
    findBy,
    list: async (collection, parent, query) => {
      const found = await list(collection, parent, query)
      const table = work.catalogue.of(collection)
      for (const stored of found) {
        work.listed.set(nameOf({ table, account, key: stored }), stored.revision)
      }
      return found
    },
    count,
    findConsumer,
    findCredits: async (owner) => {
      const left = await findCredits(owner)
      return left === null ? null : left + work.moves.of(owner)
    },
    ...sqlTallies(work, account),
    submit: async (messageId, dueAt, place = anyPlace, lateAt = null) => {
      await submit(connection, account, messageId, dueAt, place, lateAt)
      addSubmission(effects, dueAt)
    },
    withdraw: (messageId) => withdraw(connection, account, messageId),
    forgetReceipts: (messageId) => forgetReceipts(connection, account, messageId),
    notify: async (notification) => {
      const isFirst = effects.notified.size === 0
      effects.notified.add(account)
      // The only one goes with what else is written; more are cheaper together.
      if (isFirst) await append(connection, account, [notification])
      else work.notified.push({ account, notification })
    },
    findAnswer: (owner, key, now) => findAnswer(work, account, owner, key, now),
    keepAnswer: (owner, key, answer, expiresAt) =>
      keepAnswer(connection, account, owner, key, answer, expiresAt),
    countCredits: async (counted) => {
      await work.moves.write(connection)
      await countCredits(connection, account, counted)
    },
    moveCredits: (micros) => moveCredits(work, account, micros),
    sentFrom: async (address, at) => {
      // Another account may have sent from it before.
      await whole.connection.within(everyAccount).run(sentFrom, [address, account, at])
    },
  }
}

async function writeNotified({ connection, notified }: Work): Promise<void> {
  if (notified.length === 0) return
  const byAccount = Map.groupBy(notified, ({ account }) => account)
  await Promise.all(
    [...byAccount].map(([account, own]) => {
      const notifications = own.map(({ notification }) => notification)
      return append(connection.within(account), account, notifications)
    }),
  )
}

async function erase({ connection, catalogue, effects, known }: Work, account: AccountId) {
  known.clear()
  for (const { sql, qualifiedName } of catalogue.tables) {
    const gone = await connection.run(`delete from ${sql} where account = ?`, [account])
    if (gone > 0) effects.changed.add(qualifiedName)
  }
  for (const table of [...catalogue.undeclared, ...ownedTables]) {
    await connection.run(`delete from ${table} where account = ?`, [account])
  }
}

const lastSender = 'select account from senders where address = ?'
/** Written only where the account is another one. */
const sentFrom = `
  insert into senders (address, account, sent_at) values (?, ?, ?)
  on conflict (address) do update set account = excluded.account, sent_at = excluded.sent_at
  where senders.account <> excluded.account`
