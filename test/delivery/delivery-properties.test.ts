import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { deliveries } from '../../src/collections/deliveries.ts'
import { replays } from '../../src/collections/replays.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { initialProgress } from '../../src/delivery/progress/progress.ts'
import type { LeaseTimes } from '../../src/delivery/workers/leases.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { brittleStore } from './support/brittle-store.ts'
import { ExpectedOrder } from './support/expected-order.ts'
import { receiveOnWhims } from './support/whimsical-receiver.ts'
import { runs, type Run } from './support/whims.ts'
import { openDeliveryStore } from './support/world-over.ts'
import { messageNames, World } from './support/world.ts'

const skip = await noPostgres()
const hourMs = 3_600_000
const leaseTimes: LeaseTimes = { leaseMs: 2 * hourMs, renewMs: hourMs, pollMs: hourMs }

describe('whatever a receiver does, and whenever a node dies', () => {
  it('every record is delivered or set aside in its order, over the memory store', async () => {
    const property = fc.asyncProperty(runs, async (run) => {
      const store = memoryStore([webhooks, deliveries, replays])
      await play(run, store, 4)
    })
    await fc.assert(property, { numRuns: 150 })
  })

  it('every record is delivered or set aside in its order, over the SQLite store', async () => {
    const property = fc.asyncProperty(runs, async (run) => {
      await play(run, await openDeliveryStore('sqlite'), 40)
    })
    await fc.assert(property, { numRuns: 10 })
  })

  it('every record is delivered or set aside in its order, over PostgreSQL', { skip }, async () => {
    const property = fc.asyncProperty(runs, async (run) => {
      await play(run, await openDeliveryStore('postgres'), 1)
    })
    await fc.assert(property, { numRuns: 3 })
  })
})

/** Plays a run until every record is done with, and checks each request on the way. */
async function play(run: Run, store: Store, rounds: number): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const world = new World({ after: (end) => ends.push(end) }, { seed: run.seed, store })
  const all = messageNames(run.messages)
  const poison = new Set(run.poison.map((number) => `m${number}`))
  const order = new ExpectedOrder(all)
  let node = brittleStore(store)
  const broken = receiveOnWhims(world, run, {
    poison,
    orderOf: () => order,
    crash: () => {
      node.isDead = true
      void world.stop()
    },
  })

  await world.addWebhook('w', { maxBatch: run.maxBatch })
  const half = Math.ceil(all.length / 2)
  await world.notify(...all.slice(0, half))
  await world.start({ store: node.store, leaseTimes })
  await world.notify(...all.slice(half))
  for (let step = 0; step < 400 && (await world.lag('w')) > 0; step += 1) {
    await world.clock.advance(hourMs)
    await world.settle(rounds)
    if (node.isDead) {
      node = brittleStore(store)
      await world.start({ store: node.store, owner: `node_${step}`, leaseTimes })
    }
    const { disabled } = await world.progress('w')
    if (disabled !== null) {
      await world.change('w', {}, ({ batch }) => ({ ...initialProgress, batch }))
    }
  }

  order.passGivenUp(all.length)
  assert.deepEqual(broken, [])
  assert.equal(order.done, all.length, 'every record is done with')
  assert.equal(await world.lag('w'), 0, 'the cursor is at the end')
  for (const end of ends) await end()
}
