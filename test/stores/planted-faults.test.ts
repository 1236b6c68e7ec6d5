import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkOrderUnderLoad, checkOrderWithinTransaction } from '../conformance/log-order.ts'
import { sampleCollections } from '../conformance/sample-collections.ts'
import { noPostgres, testDatabase } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { checkVisibleAtOnce, withOpenTransaction } from './support/open-transaction.ts'

const skip = await noPostgres()

/** Opens a store with a planted fault. */
const openWith = (faults: Parameters<typeof openPostgres>[2] & object) =>
  openPostgres(sampleCollections, () => {}, faults)

describe('a fault that is planted in the PostgreSQL store', { skip }, () => {
  it('is caught if it appends the entries of a transaction in another order', async () => {
    await using store = await openWith({ faults: { reversesAppends: true } })

    await assert.rejects(checkOrderWithinTransaction(store), assert.AssertionError)
    await assert.rejects(checkOrderUnderLoad(store), assert.AssertionError)
  })

  it('is caught if it hides the log while another program writes', async () => {
    await using store = await openWith({ faults: { waitsForOpenTransactions: true } })
    await using other = await testDatabase()

    await withOpenTransaction(other.url, () =>
      assert.rejects(checkVisibleAtOnce(store), assert.AssertionError),
    )
  })
})
