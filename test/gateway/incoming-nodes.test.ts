import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IncomingPartEvent } from '../../src/core/ports/carrier.ts'
import { defaultAccount } from '../../src/core/account.ts'
import { typeIds } from '../../src/core/id.ts'
import { where } from '../../src/core/ports/store.ts'
import { messages } from '../../src/collections/messages.ts'
import { overdueIncoming, storeIncomplete } from '../../src/gateway/reports/incoming.ts'
import { reportEvents } from '../../src/gateway/reports/report.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { collections } from './support/stores.ts'

const rounds = 10
const parts = [1, 2, 3]

function aPart(part: number, reference: string): IncomingPartEvent {
  const octets = Buffer.from(`${part}`, 'utf16le').swap16().toString('hex')
  const key = { from: '+4915112345678', to: '12345', reference, total: parts.length }
  const content = {
    dataCoding: 8,
    defaultCharset: 'GSM',
    locking: null,
    single: null,
    octets,
  } as const
  return { kind: 'INCOMING_PART', ...key, part, protocolId: 0, content } as const
}

describe(
  'the parts of a message that come in at several nodes',
  { skip: await noPostgres() },
  () => {
    const open = async () => {
      const one = await openPostgres(collections)
      const other = await postgresStore(one.url, collections)
      const clock = virtualClock()
      const newId = typeIds(clock, seededRandom(1))
      const wishOf = () => null
      const nodes = [one, other].map((store) => reportEvents({ store, clock, newId, wishOf }))
      return {
        one,
        other,
        clock,
        arrival: { carrier: 'c', newId, wishOf },
        report: (at: number, part: IncomingPartEvent) => nodes[at % nodes.length]?.('c', [part]),
        bodies: async () => {
          const found = await one.read(defaultAccount, (reader) =>
            reader.list(messages, null, where([], 1000)),
          )
          return found.map(({ doc }) => (JSON.parse(doc) as { body: string }).body)
        },
        [Symbol.asyncDispose]: async () => {
          await other[Symbol.asyncDispose]()
          await one[Symbol.asyncDispose]()
        },
      }
    }

    it('are one message, though they come at the same time', async () => {
      await using opened = await open()

      for (let round = 0; round < rounds; round += 1) {
        await Promise.all(parts.map((part) => opened.report(part, aPart(part, `udh8-${round}`))))
      }

      const bodies = await opened.bodies()
      assert.deepEqual(bodies, Array<string>(rounds).fill('123'))
    })

    it('are given up by one node alone', async () => {
      await using opened = await open()
      const { one, other, clock, arrival } = opened
      await opened.report(0, aPart(1, 'udh8-1'))
      await clock.advance(3_600_000)
      const giveUp = (store: typeof other) =>
        store.transact(async (transaction) => {
          const at = clock.now()
          const { overdue } = await overdueIncoming(transaction.everywhere, at, 9)
          for (const each of overdue) await storeIncomplete({ ...arrival, transaction, at }, each)
        })

      await Promise.all([giveUp(one), giveUp(other), giveUp(one), giveUp(other)])

      const bodies = await opened.bodies()
      assert.deepEqual(bodies, ['1'])
    })
  },
)
