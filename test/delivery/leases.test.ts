import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { LeasedConsumer } from '../../src/core/ports/consumers.ts'
import { StoreUnavailable, type Store } from '../../src/core/ports/store.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { Leases, type WebhookWorkers } from '../../src/delivery/workers/leases.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { countConsumers, leaseConsumers } from '../support/lease-consumers.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { ours } from './support/world.ts'

const leaseTimes = { leaseMs: 30_000, renewMs: 10_000, pollMs: 5000 }

/** A node with two webhooks that are free, over a store whose answers can be late, or get lost. */
async function startNode(t: TestContext) {
  const clock = virtualClock()
  const store = memoryStore([webhooks])
  t.after(() => store[Symbol.asyncDispose]())
  const network = { delayMs: 0, isBroken: false }
  const remote: Store = {
    ...store,
    transact: async (work, mode) => {
      const result = await store.transact(work, mode)
      if (network.delayMs > 0) {
        await new Promise<void>((resolve) => clock.after(network.delayMs, resolve))
      }
      if (network.isBroken) throw new StoreUnavailable('the answer was lost')
      return result
    },
  }
  for (const id of ['w1', 'w2']) {
    await store.transact(({ consumers }) => consumers.put(ours, id, '{}'))
  }
  const served: LeasedConsumer[] = []
  const workers: WebhookWorkers = {
    serve: (consumer) => void served.push(consumer),
    wake: () => {},
    accounts: () => [...new Set(served.map(({ account }) => account))],
    count: () => served.length,
    parting: () => 0,
    part: () => [],
    end: async () => void served.splice(0),
  }
  const leases = new Leases({ store: remote, clock, owner: 'node', leaseTimes })
  return { clock, store, network, served, leases, keep: () => leases.keep(workers) }
}

describe('a lease', () => {
  it('is believed from before it was asked for, however late the answer comes', async (t) => {
    const { clock, network, leases, keep } = await startNode(t)
    await keep()
    await clock.advance(10_000)

    network.delayMs = 4000
    const renewed = keep()
    await clock.advance(60_000)
    await renewed
    network.delayMs = 0
    const late = leases.hold()
    await keep()
    const anew = leases.hold()
    await clock.advance(29_999)
    const stillHeld = leases.hold()
    await clock.advance(1)

    assert.deepEqual([late, anew, stillHeld, leases.hold()], [false, true, true, false])
  })

  it('ends for this node no later than the store gives it to another', async (t) => {
    const { clock, network, store, leases, keep } = await startNode(t)
    await keep()
    await clock.advance(10_000)
    network.delayMs = 4000
    const renewed = keep()
    await clock.advance(1)
    network.delayMs = 0
    await clock.advance(4000)
    await renewed

    const heldFor = async (): Promise<boolean> => {
      const now = clock.now()
      const free = await store.transact((tx) => leaseConsumers(tx, 'x', now, now + 1))
      return free.length === 0
    }
    while (leases.hold()) {
      assert.ok(await heldFor(), 'another node has what this one believes to hold')
      await clock.advance(500)
    }
    assert.ok(clock.monotonic() >= 10_000 + 29_500)
  })

  for (const isTaken of [true, false]) {
    const outcome = isTaken ? 'was made' : 'was not made'
    it(`whose answer is lost, and which ${outcome}, is served or released the next time`, async (t) => {
      const { clock, network, store, served, keep } = await startNode(t)
      await keep()
      await store.transact(({ consumers }) => consumers.put(ours, 'w3', '{}'))

      network.isBroken = isTaken
      if (isTaken) await assert.rejects(keep())
      network.isBroken = false
      await clock.advance(1000)
      await keep()
      const census = await countConsumers(store, 'node', clock.now())

      assert.deepEqual(served.map(({ webhookId }) => webhookId).toSorted(), ['w1', 'w2', 'w3'])
      assert.deepEqual(census, { all: 3, held: 3 })
      for (const consumer of served) {
        assert.ok(await store.transact(({ consumers }) => consumers.advance(consumer)))
      }
    })
  }
})
