import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { StoreUnavailable, type Store } from '../../src/core/ports/store.ts'
import { settle } from '../support/virtual-clock.ts'
import { messageNames, ours, World } from './support/world.ts'

const secondMs = 1000

/** Appends a record, as another process would: nobody here is told. */
async function appendUntold(world: World, store: Store, messageId: string): Promise<void> {
  const record = JSON.stringify({ id: messageId, type: 'SENT' })
  const at = world.clock.now()
  await store.transact((transaction) =>
    transaction.in(ours).notify({ type: 'SENT', status: 'DELIVERED', messageId, at, record }),
  )
}

describe('a record that is appended while the next batch is looked for', () => {
  for (const [what, count] of [
    ['read', 4],
    ['end', 3],
  ] as const) {
    for (let turn = 1; turn <= count; turn += 1) {
      it(`is delivered: after the ${what} number ${turn} of the log`, async (t) => {
        const world = new World(t)
        const { log } = world.store
        let asked = 0
        const append = async (): Promise<void> => {
          asked += 1
          if (asked === turn) await appendUntold(world, world.store, 'slipped')
        }
        const slippery: Store = {
          ...world.store,
          log: {
            ...log,
            read: async (...given) => {
              const found = await log.read(...given)
              if (what === 'read') await append()
              return found
            },
            end: async (account) => {
              const found = await log.end(account)
              if (what === 'end') await append()
              return found
            },
          },
        }
        await world.addWebhook('w')

        await world.start({ store: slippery })
        for (let second = 0; second < 20; second += 1) {
          await world.clock.advance(secondMs)
          if (second === 2) await world.notify('m1')
        }

        assert.ok(asked >= turn)
        assert.deepEqual(world.received('w').toSorted(), ['m1', 'slipped'])
      })
    }
  }
})

describe('what a receiver acknowledged', () => {
  it('is stored when the dispatcher stops at once, attempts and place', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 1 })
    const dispatcher = await world.start()
    await world.notify(...messageNames(5))

    const stopped = dispatcher.stop(0)
    await settle(20)
    await stopped

    const sent = world.sent.length
    assert.equal(sent, 5)
    assert.equal(await world.lag('w'), 0)
    assert.equal((await world.deliveries('w')).length, sent)
  })

  it('is stored when the dispatcher stops in the middle of many, attempts and place', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 1 })
    world.receive('https://w.test/', answersAfter(world, 10))
    const dispatcher = await world.start()
    await world.notify(...messageNames(40))

    await world.clock.advance(195)
    const stopped = dispatcher.stop(1000)
    await world.clock.advance(30)
    await stopped

    const sent = world.sent.length
    assert.ok(sent > 10 && sent < 40, `${sent} were sent`)
    assert.equal(await world.lag('w'), 40 - sent)
    assert.equal((await world.deliveries('w')).length, sent)
  })

  for (let turn = 1; turn <= 8; turn += 1) {
    it(`is on record once for each attempt where commit ${turn} of many fails`, async (t) => {
      const world = new World(t)
      let asked = 0
      const failing: Store = {
        ...world.store,
        transact: async (work, mode) => {
          if (world.sent.length > 5) asked += 1
          if (asked === turn) {
            asked += 1
            throw new Error('a fault')
          }
          return world.store.transact(work, mode)
        },
      }
      await world.addWebhook('w', { maxBatch: 1 })
      world.receive('https://w.test/', answersAfter(world, 10))

      await world.start({ store: failing })
      await world.notify(...messageNames(60))
      await world.clock.advance(60 * secondMs)

      assert.ok(asked > turn)
      assert.equal(await world.lag('w'), 0)
      assert.equal((await world.deliveries('w')).length, world.sent.length)
      assert.deepEqual([...new Set(world.received('w'))], messageNames(60))
    })
  }

  for (const [title, error] of [
    ['fails', new Error('a fault')],
    ['finds no store', new StoreUnavailable('for a moment')],
  ] as const) {
    for (let turn = 1; turn <= 4; turn += 1) {
      it(`is on record once for each attempt where commit ${turn} after it ${title}`, async (t) => {
        const world = new World(t)
        let asked = 0
        const failing: Store = {
          ...world.store,
          transact: async (work, mode) => {
            if (world.sent.length > 0) asked += 1
            if (asked === turn) {
              asked += 1
              throw error
            }
            return world.store.transact(work, mode)
          },
        }
        await world.addWebhook('w', { maxBatch: 1 })
        world.receive('https://w.test/', ({ messageIds: [id] }) => (id === 'm3' ? 500 : 204))

        await world.start({ store: failing })
        await world.notify(...messageNames(2))
        await world.clock.advance(30 * secondMs)
        await world.notify('m3')
        await world.clock.advance(5 * secondMs)
        world.receive('https://w.test/', () => 204)
        await world.clock.advance(600 * secondMs)

        assert.ok(asked > turn)
        assert.equal(await world.lag('w'), 0)
        const recorded = (await world.deliveries('w')).length
        assert.equal(recorded, world.sent.length)
        assert.deepEqual([...new Set(world.received('w'))], ['m1', 'm2', 'm3'])
      })
    }
  }
})

function answersAfter(world: World, delayMs: number): () => Promise<number> {
  return () => new Promise((resolve) => world.clock.after(delayMs, () => resolve(204)))
}
