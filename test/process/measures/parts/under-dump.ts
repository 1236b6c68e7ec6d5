import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { accounts } from '../../../../src/collections/accounts.ts'
import { messages } from '../../../../src/collections/messages.ts'
import { type AccountId, accountId, defaultAccount } from '../../../../src/core/account.ts'
import { systemClock } from '../../../../src/core/ports/clock.ts'
import type { Store, Writer } from '../../../../src/core/ports/store.ts'
import { timestamp } from '../../../../src/core/timestamp.ts'
import { messageRetention } from '../../../../src/delivery/retention/retain-messages.ts'
import { postgresStore } from '../../../../src/stores/postgres/postgres-store.ts'
import { standardOffer } from '../../../../src/wiring/wire.ts'
import { startKeeper } from '../../../support/postgres/start-keeper.ts'
import { say } from './programs.ts'

const dayMs = 24 * 3_600_000
const tenants = ['a', 'b', 'c', 'd'].map(accountId)
const acceptEveryMs = 5

/**
 * Measures how long the acceptance of a message takes on PostgreSQL at rest, and while the retention of
 * messages, bodies and days of the log runs next to a dump that holds all tables.
 */
export async function measureUnderDump(count: number): Promise<void> {
  const server = await startKeeper(true)
  if ('fault' in server) return say(`NOT MEASURED: ${server.fault}`)
  const url = `postgres://postgres@127.0.0.1:${server.port}/postgres`
  const reported: string[] = []
  await using store = await postgresStore(url, standardOffer.collections, (level, event) => {
    if (level !== 'info') reported.push(event)
  })
  await store.transact(async (transaction) => {
    for (const id of tenants) {
      const account = { id, name: id, active: true, createdAt: timestamp(0) }
      await transaction.in(defaultAccount).save(accounts, { id }, account, null)
    }
  })
  for (let first = 0; first < count; first += 500) {
    for (const account of tenants) await addEnded(store, account, first / 4, 500 / 4)
  }
  const dump = new Client({ connectionString: url, application_name: 'pg_dump' })
  await dump.connect()
  await dump.query('begin isolation level repeatable read')
  await dump.query('select count(*) from log; select count(*) from "c/messages"')

  await accepting(store, 'at rest, under a dump', () => pause(5000))
  const done = { REMOVE: 0, ERASE: 0 }
  const retention = messageRetention({
    store,
    clock: systemClock,
    retentionDays: { messageRetentionDays: 20, bodyRetentionDays: 10 },
    onRetained: (action, retained) => (done[action] += retained),
  })
  await accepting(store, 'while the retention runs, under a dump', async () => {
    await store.maintain(systemClock.now() - 7 * dayMs, 200)
    await retention.run(async () => true, new AbortController().signal)
  })
  say(
    `removed ${done.REMOVE}, erased ${done.ERASE}; reported: ${[...new Set(reported)].join() || '-'}`,
  )
  await dump.end()
}

/** Half of them ended 30 days ago, half 15. */
async function addEnded(store: Store, account: AccountId, first: number, count: number) {
  await store.transact(async (transaction) => {
    const writer = transaction.in(account)
    for (let index = first; index < first + count; index += 1) {
      const at = timestamp(systemClock.now() - (index % 2 === 0 ? 30 : 15) * dayMs)
      await add(writer, `old${index}`, at, 'DELIVERED')
    }
  })
}

async function add(writer: Writer, id: string, at: string, type: string): Promise<void> {
  const status = { id: `${type}.null`, type }
  const history = [{ status: status.id, date: at }]
  const body = 'x'.repeat(160)
  const message = {
    id,
    type: 'SENT',
    from: '1',
    to: '2',
    body,
    status,
    history,
    bodyErasedAt: null,
  }
  await writer.save(messages, { id }, { ...message, createdAt: at, updatedAt: at }, null)
  const record = JSON.stringify(message)
  await writer.notify({ type: 'SENT', status: type, messageId: id, at: Date.parse(at), record })
}

/** Accepts messages while work runs, and says how long each took. */
async function accepting(store: Store, name: string, work: () => Promise<unknown>): Promise<void> {
  const took: number[] = []
  let isOver = false
  const began = performance.now()
  const over = work().finally(() => (isOver = true))
  while (!isOver) {
    const since = performance.now()
    await store.transact(async (transaction) => {
      const account = tenants[took.length % tenants.length] ?? accountId('a')
      await add(transaction.in(account), `new${since}`, timestamp(systemClock.now()), 'ACCEPTED')
    }, 'TOGETHER')
    took.push(performance.now() - since)
    await pause(acceptEveryMs)
  }
  await over
  const sorted = took.toSorted((a, b) => a - b)
  const at = (share: number): string =>
    (sorted[Math.floor((sorted.length - 1) * share)] ?? NaN).toFixed(1)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  say(
    `${name}: ${took.length} accepted in ${seconds} s, p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(1)} ms`,
  )
}
