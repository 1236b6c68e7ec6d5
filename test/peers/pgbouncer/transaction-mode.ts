import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { accountId } from '../../../src/core/account.ts'
import type { Collection } from '../../../src/core/declaration/collection.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { postgresStore } from '../../../src/stores/postgres/postgres-store.ts'
import { conforms } from '../../conformance/store.ts'
import { sampleCollections } from '../../conformance/sample-collections.ts'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import { fetchPgBouncer, startPgBouncer } from './pgbouncer.ts'

const missing = await noPostgres()
const skip = missing === false ? ((await fetchPgBouncer()) ?? false) : missing
if (skip !== false) console.error(`NOT TESTED: ${skip}`)

const ours = accountId('ours')
const parts = new AsyncDisposableStack()
after(() => parts.disposeAsync())
const bouncer =
  skip === false ? parts.use(await startPgBouncer((await testDatabase()).url)) : { port: 0 }

/** Opens a store in a database of its own through PgBouncer, with its address. */
async function openThrough(collections: readonly Collection[]): Promise<Store & { url: string }> {
  const database = await testDatabase()
  const pooled = new URL(database.url)
  pooled.port = String(bouncer.port)
  pooled.search = new URLSearchParams({
    pooled: 'true',
    prepare: 'false',
    direct: database.url,
  }).toString()
  const store = await postgresStore(pooled.href, collections)
  return { ...store, url: pooled.href }
}

conforms('PostgreSQL behind PgBouncer in transaction mode', openThrough, {
  skip,
  sideBySide: 'transactions run side by side here, and are run again where they meet',
})

describe('nodes behind PgBouncer', { skip }, () => {
  it('hear of what another commits, over the address past it', async () => {
    await using one = await openThrough(sampleCollections)
    await using other = await postgresStore(one.url, sampleCollections)
    const heard = Promise.withResolvers<number | null>()
    other.onCommit(({ submissionDueAt }) => heard.resolve(submissionDueAt))

    let due = 0
    const again = setInterval(() => {
      due += 1
      void one.transact((transaction) => transaction.in(ours).enqueue(`m${due}`, due))
    }, 50)
    const found = await heard.promise.finally(() => clearInterval(again))

    assert.ok(found !== null && found > 0)
  })
})
