import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { messages } from '../../src/collections/messages.ts'
import { accountId } from '../../src/core/account.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres, type TestStore } from '../support/postgres/open-store.ts'

const ours = accountId('ours')
const skip = await noPostgres()
const count = 400
const batch = 100

describe('what a message costs PostgreSQL', { skip }, () => {
  it('is no entry of an index for a change of its status, nor for a claim', async () => {
    await using store = await openPostgres([messages])

    for (let from = 0; from < count; from += batch) await accept(store, from)
    for (let from = 0; from < count; from += batch) await send(store, from)

    const changes = await changesOf(store)
    assert.deepEqual(
      changes.map(({ table, updates }) => [table, updates]),
      [
        ['c/messages', count],
        ['submissions', count],
      ],
    )
    for (const { table, inPlace } of changes) {
      assert.ok(inPlace >= 0.95 * count, `${table}: ${inPlace} of ${count} changes`)
    }
  })

  it('lets a filter on a status that few have read an index, and no other', async () => {
    await using store = await openPostgres([messages])
    await store.transact(async (transaction) => {
      for (let index = 0; index < count; index += 1) {
        const status = index % 100 === 7 ? 'FAILED' : 'DELIVERED'
        const message = aMessage(index, status)
        await transaction.in(ours).save(messages, { id: message.id }, message, null)
      }
    })

    const rows = await asked<{ name: string; entries: number }>(
      store.url,
      `select indexrelid::regclass::text as name, pg_relation_size(indexrelid) as size,
        (select reltuples from pg_class where oid = indexrelid)::int as entries
      from pg_index where indrelid = '"c/messages"'::regclass order by 1`,
      'vacuum analyze "c/messages"',
    )
    const byStatus = rows.filter(({ name }) => name.includes('status'))

    assert.deepEqual(
      byStatus.map(({ entries }) => entries),
      [count / 100],
    )
  })
})

async function accept(store: TestStore, from: number): Promise<void> {
  await store.transact(async (transaction) => {
    const writer = transaction.in(ours)
    for (let index = from; index < from + batch; index += 1) {
      const message = aMessage(index, 'ACCEPTED')
      await writer.save(messages, { id: message.id }, message, null)
      await writer.enqueue(message.id, 0)
    }
  })
}

/** Claims the next submissions and delivers their messages, all by one commit. */
async function send(store: TestStore, from: number): Promise<void> {
  const claimed = await store.transact(({ submissions }) =>
    submissions.claim(1, 100, batch, defaultQueueKey, 'a node with a name'),
  )
  await store.transact(async (transaction) => {
    const writer = transaction.in(ours)
    for (let index = from; index < from + batch; index += 1) {
      const message = aMessage(index, 'DELIVERED')
      await writer.find(messages, { id: message.id })
      await writer.save(messages, { id: message.id }, message, null)
    }
    for (const each of claimed) await transaction.submissions.settle(each, { kind: 'FINISHED' })
  })
}

function aMessage(index: number, type: 'ACCEPTED' | 'DELIVERED' | 'FAILED') {
  const id = `message_${String(index).padStart(26, '0')}`
  const date = '2026-11-23T01:16:27.068Z'
  const steps = type === 'ACCEPTED' ? ['ACCEPTED'] : ['ACCEPTED', 'SENT', type]
  return {
    id,
    type: 'SENT',
    from: 'Nuncio',
    to: '+4915112345678',
    body: 'Your parcel arrives today at 14:00.',
    encoding: 'TEXT',
    protocolId: 0,
    messageClass: 1,
    numberOfParts: 1,
    creditCost: 1,
    submission: { id: `submission_${id}`, date },
    status: { id: `${type}.null`, type },
    relatedSentMessageId: null,
    userSuppliedId: `n${index}`,
    scheduledAt: null,
    validUntil: null,
    carrier: 'carrier_simulator',
    priority: 1,
    history: steps.map((status) => ({ status: `${status}.null`, date })),
    createdAt: date,
    updatedAt: date,
  } satisfies JsonObject
}

/** Returns the changes of rows, and how many wrote to no index, of the tables with changes. */
async function changesOf(store: TestStore) {
  const statement = `select relname as table, n_tup_upd::int as updates, n_tup_hot_upd::int as "inPlace"
    from pg_stat_user_tables where relname in ('c/messages', 'submissions') order by 1`
  // A session reports its statistics with the first transaction that ends a second later.
  await setTimeout(1200)
  await store.transact(({ submissions }) => submissions.waiting(0))
  await setTimeout(100)
  return asked<{ table: string; updates: number; inPlace: number }>(store.url, statement)
}

async function asked<T extends object>(url: string, sql: string, before = ''): Promise<T[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(before)
    return (await client.query<T>(sql)).rows
  } finally {
    await client.end()
  }
}
