import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deliveries } from '../../src/collections/deliveries.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { accountId } from '../../src/core/account.ts'
import { firstIdAt } from '../../src/core/id.ts'
import { type NewInstance, UniqueViolation, where } from '../../src/core/ports/store.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { ours, theirs } from './sample-accounts.ts'
import {
  aPiece,
  aThing,
  awkward,
  badges,
  pieces,
  sampleCollections,
  things,
} from './sample-collections.ts'
import type { OpenStore } from './store.ts'

/** Instances are kept as they are given, and found again. */
export function keepsInstances(open: OpenStore): void {
  describe('instances', () => {
    it('serves the very text of the instance, in the order of its fields', async () => {
      await using store = await open(sampleCollections)
      const thing = aThing('t1', { name: 'Zoë 🚀', labels: { "it's": 'a "b"', '%_*': '\\' } })

      const saved = await store.transact((tx) =>
        tx.in(ours).save(things, { id: 't1' }, thing, { secret: 's' }),
      )
      const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))

      assert.deepEqual(found, saved)
      assert.equal(found?.doc, JSON.stringify(thing))
      assert.equal(found?.hidden, '{"secret":"s"}')
      assert.equal(found?.account, ours)
      assert.equal(found?.parent, null)
      assert.equal(found?.id, 't1')
    })

    it('finds nothing where nothing is', async () => {
      await using store = await open(sampleCollections)

      const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))

      assert.equal(found, null)
    })

    it('changes the revision with the text that is served, and with nothing else', async () => {
      await using store = await open(sampleCollections)
      const save = (fields: object, secret: string) =>
        store.transact((tx) =>
          tx.in(ours).save(things, { id: 't1' }, aThing('t1', { ...fields }), { secret }),
        )

      const first = await save({ name: 'a' }, 'one')
      const hiddenChanged = await save({ name: 'a' }, 'two')
      const changed = await save({ name: 'b' }, 'two')
      const changedBack = await save({ name: 'a' }, 'two')

      assert.match(first.revision, /^[A-Za-z0-9_-]{22}$/)
      assert.equal(hiddenChanged.revision, first.revision)
      assert.notEqual(changed.revision, first.revision)
      assert.equal(changedBack.revision, first.revision)
      assert.equal(changedBack.hidden, '{"secret":"two"}')
    })

    it('replaces an instance whether or not the transaction has read it', async () => {
      await using store = await open(sampleCollections)
      const save = (name: string, readFirst: boolean) =>
        store.transact(async (tx) => {
          if (readFirst) await tx.in(ours).find(things, { id: 't1' })
          await tx.in(ours).save(things, { id: 't1' }, aThing('t1', { name, size: 1 }), null)
        })

      for (const readFirst of [true, false, true, false]) {
        await save(`read first: ${readFirst}`, readFirst)
        const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))
        assert.equal(JSON.parse(found?.doc ?? '{}').name, `read first: ${readFirst}`)
      }
    })

    it('removes an instance once', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null))

      const removed = await store.transact((tx) => tx.in(ours).remove(things, { id: 't1' }))
      const again = await store.transact((tx) => tx.in(ours).remove(things, { id: 't1' }))

      assert.equal(removed, true)
      assert.equal(again, false)
      assert.equal(await store.read(ours, (reader) => reader.find(things, { id: 't1' })), null)
    })

    it('makes an instance again after it was removed in the same transaction', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) => tx.in(ours).save(things, { id: 't1' }, aThing('t1'), null))

      await store.transact(async (tx) => {
        const writer = tx.in(ours)
        await writer.find(things, { id: 't1' })
        await writer.remove(things, { id: 't1' })
        await writer.save(things, { id: 't1' }, aThing('t1', { name: 'new' }), null)
      })

      const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))
      assert.match(found?.doc ?? '', /"name":"new"/)
    })

    it('tells nested instances apart by their parents, and collections by their names', async () => {
      await using store = await open(sampleCollections)
      await store.transact(async (tx) => {
        const writer = tx.in(ours)
        await writer.save(pieces, { id: 'p', parent: 'a' }, aPiece('p', { name: 'in a' }), null)
        await writer.save(pieces, { id: 'p', parent: 'b' }, aPiece('p', { name: 'in b' }), null)
        for (const collection of awkward) {
          const named = { id: 'p', select: collection.name, Select: 'x' }
          await writer.save(collection, { id: 'p' }, named, null)
        }
      })

      await store.read(ours, async (reader) => {
        const inB = await reader.find(pieces, { id: 'p', parent: 'b' })
        assert.match(inB?.doc ?? '', /in b/)
        assert.equal(inB?.parent, 'b')
        assert.equal(await reader.find(pieces, { id: 'p', parent: 'c' }), null)
        for (const collection of awkward) {
          const found = await reader.find(collection, { id: 'p' })
          assert.equal(JSON.parse(found?.doc ?? '{}').select, collection.name)
        }
      })
    })

    it('removes what is nested in an instance with it, and nothing else', async () => {
      await using store = await open(sampleCollections)
      const other = theirs
      await store.transact(async (tx) => {
        for (const account of [ours, other]) {
          for (const parent of ['a', 'b']) {
            const writer = tx.in(account)
            await writer.save(things, { id: parent }, aThing(parent), null)
            await writer.save(pieces, { id: 'p1', parent }, aPiece('p1'), null)
            await writer.save(pieces, { id: 'p2', parent }, aPiece('p2'), null)
          }
        }
      })

      await store.transact((tx) => tx.in(ours).remove(things, { id: 'a' }))

      const left = async (account: typeof ours, parent: string): Promise<number> =>
        store.read(account, (reader) =>
          reader.count(pieces, parent, { conditions: [], searchTerms: [] }),
        )
      assert.equal(await left(ours, 'a'), 0)
      assert.equal(await left(ours, 'b'), 2)
      assert.equal(await left(other, 'a'), 2)
    })

    it('refuses a second instance with the same value of a unique field', async () => {
      await using store = await open(sampleCollections)
      const save = (id: string, code: string | null) =>
        store.transact((tx) => tx.in(ours).save(things, { id }, aThing(id, { code }), null))
      await save('t1', 'red')
      await save('t2', null)
      await save('t3', null)

      const refused = save('t4', 'red')

      await assert.rejects(
        refused,
        (error) => error instanceof UniqueViolation && error.field === 'code',
      )
      await save('t1', 'blue')
      await save('t4', 'red')
    })

    it('refuses it within the account alone, and under every parent', async () => {
      await using store = await open(sampleCollections)
      const save = (account: string, parent: string, id: string) =>
        store.transact((tx) =>
          tx.in(accountId(account)).save(pieces, { id, parent }, aPiece(id, { serial: '7' }), null),
        )
      await save('ours', 'a', 'p1')

      const underAnotherParent = save('ours', 'b', 'p1')

      await assert.rejects(underAnotherParent, UniqueViolation)
      await save('other', 'a', 'p1')
    })

    it('refuses it over all accounts in a collection whose instances have owners', async () => {
      await using store = await open(sampleCollections)
      const save = (account: string, id: string, code: string | null) =>
        store.transact((tx) => tx.in(accountId(account)).save(badges, { id }, { id, code }, null))
      await save('ours', 'b1', 'red')

      const anothers = save('other', 'b1', 'red')

      await assert.rejects(
        anothers,
        (error) => error instanceof UniqueViolation && error.field === 'code',
      )
      await save('ours', 'b1', 'red')
      await save('other', 'b1', 'blue')
      await save('ours', 'b2', null)
      await save('other', 'b2', null)
    })

    it('finds an instance by the value of a unique field', async () => {
      await using store = await open(sampleCollections)
      const other = theirs
      await store.transact(async (tx) => {
        await tx.in(ours).save(things, { id: 't1' }, aThing('t1', { code: 'red' }), null)
        await tx.in(other).save(things, { id: 't2' }, aThing('t2', { code: 'red' }), null)
        const key = { id: 'p1', parent: 't1' }
        await tx.in(ours).save(pieces, key, aPiece('p1', { serial: '7' }), { pin: 'x' })
        await tx.in(other).save(badges, { id: 'b1' }, { id: 'b1', code: 'blue' }, null)
      })

      const found = await store.transact(async (tx) => [
        await tx.in(ours).find(things, { field: 'code', value: 'red' }),
        await tx.in(ours).find(pieces, { field: 'serial', value: '7' }),
        await tx.everywhere.find(badges, { field: 'code', value: 'blue' }),
      ])
      const missing = await store.read(ours, async (reader) => [
        await reader.find(things, { field: 'code', value: 'blue' }),
        await reader.find(badges, { field: 'code', value: 'blue' }),
      ])

      assert.deepEqual(
        found.map((one) => [one?.account, one?.parent, one?.id, one?.hidden]),
        [
          [ours, null, 't1', null],
          [ours, 't1', 'p1', '{"pin":"x"}'],
          [other, null, 'b1', null],
        ],
      )
      assert.equal(JSON.parse(found[0]?.doc ?? '{}').code, 'red')
      assert.deepEqual(missing, [null, null])
    })

    it('goes on in the same transaction after a value was taken', async () => {
      await using store = await open(sampleCollections)
      await store.transact((tx) =>
        tx.in(ours).save(things, { id: 't1' }, aThing('t1', { code: 'red' }), null),
      )

      await store.transact(async (tx) => {
        const writer = tx.in(ours)
        const save = async (id: string, code: string) =>
          writer.save(things, { id }, aThing(id, { code }), null)
        await save('t2', 'green')
        await assert.rejects(save('t3', 'red'), UniqueViolation)
        await save('t3', 'blue')
      })

      const count = await store.read(ours, (reader) =>
        reader.count(things, null, { conditions: [], searchTerms: [] }),
      )
      assert.equal(count, 3)
    })

    it('adds instances that pass, many at once, and leaves alone what is there', async () => {
      await using store = await open([webhooks, deliveries])
      const made = Array.from({ length: 40 }, (_, index) => {
        return { id: firstIdAt('delivery', index), createdAt: timestamp(index), attempt: 1 }
      })
      const [first = { id: '' }] = made
      const add = (added: readonly NewInstance[]) =>
        store.transact((tx) => tx.in(ours).add(deliveries, 'w', added))

      await add([first])
      await add(made.map((each) => (each === first ? { ...each, attempt: 2 } : each)))
      await add([])

      const query = where([], 100)
      const found = await store.read(ours, (reader) => reader.list(deliveries, 'w', query))
      const theirs = await store.read(ours, (reader) => reader.list(deliveries, 'v', query))
      assert.deepEqual(
        found.map(({ doc }) => doc),
        made.map((each) => JSON.stringify(each)),
      )
      assert.deepEqual(theirs, [])
      assert.match(found[0]?.revision ?? '', /^[A-Za-z0-9_-]{22}$/)
    })

    it('keeps long texts and every character', async () => {
      await using store = await open(sampleCollections)
      const note = `${'ä🚀e\u0301\u200d\uffff\u{10ffff}"\\\n\t\u0001'.repeat(10_000)}end`

      await store.transact((tx) =>
        tx.in(ours).save(things, { id: 't1' }, aThing('t1', { note }), null),
      )

      const found = await store.read(ours, (reader) => reader.find(things, { id: 't1' }))
      assert.equal(JSON.parse(found?.doc ?? '{}').note, note)
    })
  })
}
