import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { aNotification, everything } from '../conformance/sample-notifications.ts'
import { checkVisibleAtOnce, ours, withOpenTransaction } from './support/open-transaction.ts'

const skip = await noPostgres()

describe('a writing transaction that another program leaves open', { skip }, () => {
  it('hides no notification if it is in the same database', async () => {
    await using store = await openPostgres(sampleCollections)

    await withOpenTransaction(store.url, () => checkVisibleAtOnce(store))
  })

  it('hides no notification if it is in another database of the server', async () => {
    await using store = await openPostgres(sampleCollections)
    await using other = await testDatabase()

    await withOpenTransaction(other.url, () => checkVisibleAtOnce(store))
  })

  it('causes no polling', async () => {
    await using store = await openPostgres(sampleCollections)

    await withOpenTransaction(store.url, async () => {
      for (let at = 0; at < 20; at += 1) {
        await store.transact((tx) => tx.in(ours).notify(aNotification(`m${at}`)))
        await setTimeout(15)
      }
      // A session reports its statistics once a second at most.
      await setTimeout(1500)
      const before = await transactionsOf(store.url)
      await setTimeout(3000)
      const after = await transactionsOf(store.url)

      assert.ok(after - before < 20, `${after - before} transactions in three seconds of rest`)
    })
    assert.equal((await store.log.read(ours, null, everything, 99)).length, 20)
  })
})

/** Returns how many transactions the database has committed. */
async function transactionsOf(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ count: string }>(
    'select xact_commit as count from pg_stat_database where datname = current_database()',
  )
  await client.end()
  return Number(rows[0]?.count)
}
