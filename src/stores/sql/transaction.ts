import { type AccountId, everyAccount } from '../../core/account.ts'
import type { Receipts } from '../../core/ports/receipts.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Transaction, Writer } from '../../core/ports/store.ts'
import type { Submissions } from '../../core/ports/submissions.ts'
import { sqlConsumers } from './log/consumers.ts'
import { sqlBuckets, sqlLeases, sqlNodes } from './queues/coordination.ts'
import { sqlIncomingParts } from './queues/incoming-parts.ts'
import { append } from './log/notification-log.ts'
import { ownedTables } from './tables/owned-tables.ts'
import { sqlReader } from './rows/reader.ts'
import { sqlReceipts } from './queues/receipts.ts'
import { sqlSubmissions } from './queues/submissions.ts'
import { writeTallies } from './queues/counters.ts'
import { within, type Work } from './work.ts'
import { SqlWriter } from './rows/writer.ts'

/** Runs a task in a transaction over a connection on which one has been begun. */
export async function runTransaction<T>(
  work: Work,
  task: (transaction: Transaction) => MaybePromise<T>,
): Promise<T> {
  const result = await task(new SqlTransaction(work))
  if (work.tallied.length > 0) await writeTallies(work)
  if (work.notified.length > 0) await writeNotified(work)
  return result
}

/**
 * Thousands are made each second, and a work asks for few of their parts: each is made when it is first
 * asked for, and what is common to all is made once, as the methods of a class.
 */
class SqlTransaction implements Transaction {
  readonly #work: Work
  readonly #loops: Work
  readonly #writers: SqlWriter[] = []
  #submissions: Submissions | null = null
  #receipts: Receipts | null = null

  constructor(work: Work) {
    this.#work = work
    this.#loops = within(work, everyAccount)
  }

  in(account: AccountId): Writer {
    const known = this.#writers.find((writer) => writer.account === account)
    if (known !== undefined) return known
    const writer = new SqlWriter(this.#work, account)
    this.#writers.push(writer)
    return writer
  }

  get everywhere() {
    return sqlReader(this.#work, everyAccount)
  }

  get submissions() {
    return (this.#submissions ??= sqlSubmissions(this.#loops))
  }

  get receipts() {
    return (this.#receipts ??= sqlReceipts(this.#loops.connection))
  }

  get incomingParts() {
    return sqlIncomingParts(this.#loops.connection)
  }

  get consumers() {
    return sqlConsumers(this.#loops)
  }

  get nodes() {
    return sqlNodes(this.#loops)
  }

  get leases() {
    return sqlLeases(this.#loops.connection)
  }

  get buckets() {
    return sqlBuckets(this.#loops.connection)
  }

  erase(account: AccountId): Promise<void> {
    return erase(this.#loops, account)
  }

  recall(submissionId: string): void {
    this.#work.effects.recalled.push(submissionId)
  }
}

async function writeNotified({ connection, notified }: Work): Promise<void> {
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
