import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import { typeIds } from '../../src/core/id.ts'
import { reportEvents } from '../../src/gateway/reports/report.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { collections } from './support/stores.ts'

const outcome = { type: 'DELIVERED', detail: null } as const

describe(
  'a receipt that one node brings while another writes down what it is for',
  {
    skip: await noPostgres(),
  },
  () => {
    it('finds its part', async () => {
      await using one = await openPostgres(collections)
      await using other = await postgresStore(one.url, collections)
      const clock = virtualClock()
      const newId = typeIds(clock, seededRandom(1))
      const options = { store: other, clock, newId, wishOf: () => null, join: () => null }
      const matches: string[] = []
      const receipted = (_: string, match: string): void => void matches.push(match)
      const counts = { receipted, submitted: () => {}, throttled: () => {} }
      const report = reportEvents({ ...options, counts })
      const [isExpected, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]

      const expecting = one.transact(async ({ receipts }) => {
        const part = { account: defaultAccount, messageId: 'm1', part: 1, outcome: null }
        await receipts.expect({ ...part, carrier: 'c', carrierMessageId: 'x1' }, 1000)
        isExpected.resolve()
        await mayCommit.promise
      })
      await isExpected.promise
      const reporting = report('c', [{ kind: 'RECEIPT', carrierMessageId: 'x1', outcome }])
      await other.read(defaultAccount, async (reader) => reader.findConsumer(defaultAccount, 'w'))
      mayCommit.resolve()
      await Promise.all([expecting, reporting])

      assert.deepEqual(matches, ['MATCHED'])
    })
  },
)
