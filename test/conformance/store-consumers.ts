import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type {
  ConsumerHold,
  Consumers,
  HeldConsumers,
  LeasedConsumer,
} from '../../src/core/ports/consumers.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { ours, theirs } from './sample-accounts.ts'
import { sampleCollections, webhooks } from './sample-collections.ts'
import { aNotification, everything } from './sample-notifications.ts'
import type { OpenStore } from './store.ts'

/** A webhook is served by one node at a time, and its place moves with the fence only. */
export function leasesConsumers(open: OpenStore): void {
  const storeWith = async (...webhooks: readonly string[]): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      for (const webhook of webhooks) await tx.consumers.put(ours, webhook, '{}')
    })
    return store
  }

  describe('consumers', () => {
    it('puts a new webhook behind all that is committed', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).notify(aNotification('m1')))
      for (const id of ['n1', 'n2', 'n3']) {
        await store.transact((tx) => tx.in(theirs).notify(aNotification(id)))
      }
      await store.transact((tx) => tx.consumers.put(ours, 'w1', '{"a":1}'))
      await store.transact((tx) => tx.in(ours).notify(aNotification('m2')))

      const consumer = await store.read(ours, (reader) => reader.findConsumer(ours, 'w1'))
      const entries = await store.log.read(ours, consumer?.position ?? null, everything, 9)

      assert.equal(consumer?.progress, '{"a":1}')
      assert.deepEqual(
        entries.map(({ messageId }) => messageId),
        ['m2'],
      )
    })

    it('finds a consumer until it is removed', async () => {
      await using store = await storeWith('w1')
      const find = () => store.read(ours, (reader) => reader.findConsumer(ours, 'w1'))

      assert.equal((await find())?.webhookId, 'w1')
      assert.equal(
        (await store.read(ours, (reader) => reader.findConsumer(ours, 'w1')))?.webhookId,
        'w1',
      )
      await store.transact(async (tx) => {
        await tx.consumers.put(ours, 'w2', '{}')
        assert.equal((await tx.in(ours).findConsumer(ours, 'w2'))?.progress, '{}')
      })
      assert.equal(await store.read(theirs, (reader) => reader.findConsumer(theirs, 'w1')), null)
      await removeWebhook(store)
      assert.equal(await find(), null)
    })

    it('leases to one owner what nobody holds, up to the limit', async () => {
      await using store = await storeWith('w1', 'w2', 'w3')

      assert.deepEqual(names(await lease(store, 'n1', 0, 10, 2)), ['w1', 'w2'])
      assert.deepEqual(names(await lease(store, 'n2', 0, 10)), ['w3'])
      assert.deepEqual(await lease(store, 'n1', 9, 20), [])
    })

    it('leases again what was not renewed in time, with a greater fence', async () => {
      await using store = await storeWith('w1', 'w2')
      const [first] = await lease(store, 'n1', 0, 10, 1)
      await lease(store, 'n2', 0, 10, 1)

      const renewed = await hold(store, 'n2', 5, 20)
      const [second, ...others] = await lease(store, 'n3', 10, 30)

      assert.equal(renewed.held, 1)
      assert.deepEqual(others, [])
      assert.equal(second?.webhookId, 'w1')
      assert.ok((second?.fencingToken ?? 0) > (first?.fencingToken ?? 0))
    })

    it('renews nothing that has run out', async () => {
      await using store = await storeWith('w1')
      await lease(store, 'n1', 0, 10)

      const { held } = await hold(store, 'n1', 10, 20, { limit: 0 })

      assert.equal(held, 0)
      assert.deepEqual(names(await lease(store, 'n2', 10, 20)), ['w1'])
    })

    it('leases to each of several owners its share, rounded up', async () => {
      await using store = await storeWith('w1', 'w2', 'w3')
      const all = await hold(store, 'n1', 0, 10)
      const beyond = await hold(store, 'n1', 1, 10, { owners: 2 })
      await within(store, (consumers) => consumers.release(all.leased.slice(2)))

      const other = await hold(store, 'n2', 1, 10, { owners: 2 })
      const again = await hold(store, 'n2', 1, 10, { owners: 2 })

      assert.deepEqual([names(all.leased), all.held, all.share], [['w1', 'w2', 'w3'], 0, 3])
      assert.deepEqual([names(beyond.leased), beyond.held, beyond.share], [[], 3, 2])
      assert.deepEqual([names(other.leased), other.held, other.share], [['w3'], 0, 2])
      assert.deepEqual([names(again.leased), again.held, again.share], [[], 1, 2])
    })

    it('moves on with the fence that holds', async () => {
      await using store = await storeWith('w1')
      await store.transact((tx) => tx.in(ours).notify(aNotification('m1')))
      const end = await store.log.end(ours)
      const [held] = await lease(store, 'n1', 0, 10)

      const moved = await advance(store, held, { position: end, progress: '{"b":2}' })

      assert.equal(moved, true)
      assert.deepEqual(await store.read(ours, (reader) => reader.findConsumer(ours, 'w1')), {
        account: ours,
        webhookId: 'w1',
        position: end,
        progress: '{"b":2}',
      })
    })

    it('does not move on with a fence that holds no more', async () => {
      await using store = await storeWith('w1')
      const [old] = await lease(store, 'n1', 0, 10)
      const [held] = await lease(store, 'n2', 10, 20)

      assert.equal(await advance(store, old, { progress: 'old' }), false)
      assert.equal(await advance(store, held, { progress: 'new' }), true)
      await within(store, (consumers) => consumers.release('n2'))
      assert.equal(await advance(store, held, { progress: 'released' }), false)
      const found = await store.read(ours, (reader) => reader.findConsumer(ours, 'w1'))
      assert.equal(found?.progress, 'new')
    })

    it('gives up all that an owner holds', async () => {
      await using store = await storeWith('w1', 'w2', 'w3')
      await lease(store, 'n1', 0, 10, 2)
      await lease(store, 'n2', 0, 10)

      await within(store, (consumers) => consumers.release('n1'))

      assert.deepEqual(names(await lease(store, 'n3', 1, 10)), ['w1', 'w2'])
    })

    it('takes a consumer from its holder when its owner changes it', async () => {
      await using store = await storeWith('w1')
      const [held] = await lease(store, 'n1', 0, 10)

      await within(store, (consumers) => consumers.put(ours, 'w1', '{"c":3}'))

      assert.equal(await advance(store, held, { progress: 'late' }), false)
      const [again] = await lease(store, 'n1', 1, 10)
      assert.equal(again?.progress, '{"c":3}')
      assert.ok((again?.fencingToken ?? 0) > (held?.fencingToken ?? 0))
    })

    it('does not let the holder of a removed webhook move a new one of its name', async () => {
      await using store = await storeWith('w1')
      const [old] = await lease(store, 'n1', 0, 10)
      await removeWebhook(store)
      await within(store, (consumers) => consumers.put(ours, 'w1', 'new'))
      await lease(store, 'n2', 0, 10)

      assert.equal(await advance(store, old, { progress: 'old' }), false)
    })
  })
}

function within<T>(store: Store, work: (consumers: Consumers) => Promise<T>): Promise<T> {
  return store.transact((tx) => work(tx.consumers))
}

async function removeWebhook(store: Store): Promise<void> {
  await store.transact((tx) => tx.in(ours).remove(webhooks, { id: 'w1' }))
}

function hold(
  store: Store,
  owner: string,
  now: number,
  until: number,
  { owners = 1, limit = 100 }: Partial<ConsumerHold> = {},
): Promise<HeldConsumers> {
  return within(store, (consumers) => consumers.hold({ owner, now, until, owners, limit }))
}

async function lease(
  store: Store,
  owner: string,
  now: number,
  until: number,
  limit = 100,
): Promise<readonly LeasedConsumer[]> {
  return (await hold(store, owner, now, until, { limit })).leased
}

function advance(
  store: Store,
  held: LeasedConsumer | undefined,
  change: Partial<LeasedConsumer>,
): Promise<boolean> {
  assert.ok(held)
  return within(store, (consumers) => consumers.advance({ ...held, ...change }))
}

function names(consumers: readonly LeasedConsumer[]): readonly string[] {
  return consumers.map(({ webhookId }) => webhookId)
}
