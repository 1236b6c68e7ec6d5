import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IncomingParts, KeptPart } from '../../src/core/ports/incoming-parts.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { sampleCollections } from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** The parts of incoming messages wait for one another. */
export function keepsIncomingParts(open: OpenStore): void {
  const storeWith = async (...parts: readonly KeptPart[]): Promise<Store> => {
    const store = await open(sampleCollections)
    await store.transact(async (tx) => {
      for (const part of parts) await tx.incomingParts.keep(part)
    })
    return store
  }

  describe('incoming parts', () => {
    it('has those of a message in their order, and of no other', async () => {
      const others = [
        aPart(1, { carrier: 'd' }),
        aPart(1, { from: 'x' }),
        aPart(1, { to: 'x' }),
        aPart(1, { reference: 'x' }),
        aPart(1, { total: 4 }),
      ]
      await using store = await storeWith(aPart(3), aPart(1), ...others)

      assert.deepEqual(await within(store, (parts) => parts.of(aPart(2))), [aPart(1), aPart(3)])
    })

    it('replaces a part in the same place', async () => {
      const later = aPart(1, { content: { ...aPart(1).content, octets: 'FF' }, expiresAt: 77 })
      await using store = await storeWith(aPart(1), later)

      assert.deepEqual(await within(store, (parts) => parts.of(aPart(1))), [later])
    })

    it('marks all parts of a message as joined, and forgets them when their time is over', async () => {
      await using store = await storeWith(aPart(1), aPart(2), aPart(1, { reference: 'r2' }))

      await within(store, (parts) => parts.join(aPart(1), 50))

      const joined = await within(store, (parts) => parts.of(aPart(1)))
      assert.deepEqual(joined, [
        aPart(1, { joined: true, expiresAt: 50 }),
        aPart(2, { joined: true, expiresAt: 50 }),
      ])
      assert.equal(await within(store, (parts) => parts.trim(49, 10)), 0)
      assert.equal(await within(store, (parts) => parts.trim(50, 1)), 1)
      assert.equal(await within(store, (parts) => parts.trim(50, 10)), 1)
      assert.deepEqual(await within(store, (parts) => parts.of(aPart(1))), [])
      assert.equal(
        (await within(store, (parts) => parts.of(aPart(1, { reference: 'r2' })))).length,
        1,
      )
    })

    it('forgets a message', async () => {
      const other = aPart(1, { reference: 'r2' })
      await using store = await storeWith(aPart(1), aPart(2), other)

      await within(store, (parts) => parts.forget(aPart(1)))

      assert.deepEqual(await within(store, (parts) => parts.of(aPart(1))), [])
      assert.deepEqual(await within(store, (parts) => parts.of(other)), [other])
    })

    it('lists each message once whose time is over, the oldest first, and no joined one', async () => {
      await using store = await storeWith(
        aPart(1, { reference: 'c', expiresAt: 30 }),
        aPart(1, { reference: 'a', expiresAt: 20 }),
        aPart(2, { reference: 'a', expiresAt: 20 }),
        aPart(1, { reference: 'b', expiresAt: 20 }),
        aPart(1, { reference: 'd', expiresAt: 31 }),
        aPart(1, { reference: 'e', expiresAt: 1, joined: true }),
      )
      const overdue = (now: number, limit: number) =>
        within(store, async (parts) =>
          (await parts.overdue(now, limit)).map(({ reference }) => reference),
        )

      assert.equal(await within(store, (parts) => parts.nextOverdueAt()), 20)
      assert.deepEqual(await overdue(19, 10), [])
      assert.deepEqual(await overdue(30, 10), ['a', 'b', 'c'])
      assert.deepEqual(await overdue(30, 2), ['a', 'b'])
      const [first] = await within(store, (parts) => parts.overdue(30, 1))
      assert.deepEqual(first, { carrier: 'c', from: '+1', to: '+2', reference: 'a', total: 3 })
    })

    it('knows of no time where nothing waits', async () => {
      await using store = await storeWith(aPart(1, { joined: true }))

      assert.equal(await within(store, (parts) => parts.nextOverdueAt()), null)
    })
  })
}

function aPart(part: number, fields: Partial<KeptPart> = {}): KeptPart {
  return {
    carrier: 'c',
    from: '+1',
    to: '+2',
    reference: 'udh8-7',
    total: 3,
    part,
    protocolId: 0,
    content: {
      dataCoding: 8,
      defaultCharset: 'GSM',
      locking: null,
      single: 'turkish',
      octets: '00',
    },
    joined: false,
    expiresAt: 10,
    ...fields,
  }
}

function within<T>(store: Store, work: (parts: IncomingParts) => Promise<T>): Promise<T> {
  return store.transact((tx) => work(tx.incomingParts))
}
