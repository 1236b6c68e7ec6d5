import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { messages } from '../../src/collections/messages.ts'
import { accountId } from '../../src/core/account.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const ours = accountId('ours')
const skip = await noPostgres()

describe('a submission that is claimed while another transaction dequeues it', { skip }, () => {
  it('stays claimed: its message is at the carrier already', async () => {
    await using store = await openPostgres([messages])
    await store.transact((transaction) => transaction.in(ours).enqueue('m', 0))
    const isClaimed = Promise.withResolvers<void>()
    const isWaiting = Promise.withResolvers<void>()
    const claiming = store.transact(async ({ submissions }) => {
      await submissions.claim(1, 60_000, 1, defaultQueueKey)
      isClaimed.resolve()
      await isWaiting.promise
    })
    await isClaimed.promise

    const dequeuing = store.transact((transaction) => transaction.in(ours).dequeue('m'))
    await untilOneWaits(store.url)
    isWaiting.resolve()

    assert.equal(await dequeuing, null)
    await claiming
    const waiting = await store.transact(({ submissions }) => submissions.waiting(0))
    assert.deepEqual(
      waiting.map(({ dueAt }) => dueAt),
      [60_000],
    )
  })
})

/** Resolves when a connection of the database waits for a lock of another one. */
async function untilOneWaits(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const waits = async (): Promise<boolean> => {
    const { rowCount } = await client.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount !== 0
  }
  while (!(await waits())) await setTimeout(5)
  await client.end()
}
