import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Collection } from '../../src/core/declaration/collection.ts'
import type { Store, Stored } from '../../src/core/ports/store.ts'
import { catalogue } from '../../src/stores/sql/tables/catalogue.ts'
import type { Row } from '../../src/stores/sql/connection.ts'
import type { RowKey } from '../../src/stores/sql/rows/row-key.ts'
import { recentRows } from '../../src/stores/sqlite/recent-rows.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { temporaryDirectory } from './temporary-directory.ts'

const ours = accountId('ours')
const table = catalogue(sampleCollections).of(things)

describe('rows that SQLite was asked for lately', () => {
  it('are had again by their account, collection and identifier', () => {
    const rows = recentRows()

    rows.set(place('a'), ['a'])

    assert.deepEqual(rows.get(place('a')), ['a'])
    assert.equal(rows.get(place('b')), undefined)
    assert.equal(rows.get({ ...place('a'), account: accountId('theirs') }), undefined)
    assert.equal(rows.get({ ...place('a'), table: { ...table, name: 'c/others' } }), undefined)
  })

  it('are never another’s, however many there are', () => {
    const rows = recentRows()
    const ids = Array.from({ length: 10_000 }, (_, index) => `thing_${index}`)

    for (const id of ids) rows.set(place(id), [id])

    const found = ids.map((id) => rows.get(place(id))).filter((row) => row !== undefined)
    assert.ok(found.length > 1000)
    for (const id of ids)
      assert.ok([id, undefined].some((text) => textIn(rows.get(place(id))) === text))
  })

  it('are not remembered where they are large, nor what stood there before', () => {
    const rows = recentRows()
    rows.set(place('a'), ['small'])

    rows.set(place('a'), ['large'.repeat(10_000)])

    assert.equal(rows.get(place('a')), undefined)
  })
})

for (const kept of [things, { ...things, changedSoon: true as const }]) {
  const collections = sampleCollections.map((one) => (one === things ? kept : one))
  const when = 'changedSoon' in kept ? 'soon' : 'seldom'

  describe(`a transaction of SQLite on what is changed ${when}`, () => {
    it('sees what the one before it wrote, and nothing of one that failed', async () => {
      await using directory = await temporaryDirectory()
      await using store = await sqliteStore(directory.file('nuncio.db'), collections)
      await save(store, kept, 1)
      const failed = store.transact(async (tx) => {
        await tx.in(ours).save(kept, { id: 'a' }, aThing('a', { size: 2 }), null)
        await tx.in(ours).find(kept, { id: 'a' })
        throw new Error('no')
      })
      const seen = find(store, kept)

      await assert.rejects(failed, /no/)

      assert.equal((await seen)?.doc, JSON.stringify(aThing('a', { size: 1 })))
      await save(store, kept, 3)
      assert.equal((await find(store, kept))?.doc, JSON.stringify(aThing('a', { size: 3 })))
    })

    it('sees nothing of what another one of its group removed, or removed and failed', async () => {
      await using directory = await temporaryDirectory()
      await using store = await sqliteStore(directory.file('nuncio.db'), collections)
      await save(store, kept, 1)

      const [failed, found, removed, gone] = await Promise.allSettled([
        store.transact(async (tx) => {
          await tx.in(ours).remove(kept, { id: 'a' })
          throw new Error('no')
        }),
        find(store, kept),
        store.transact((tx) => tx.in(ours).remove(kept, { id: 'a' })),
        find(store, kept),
      ])

      assert.equal(failed.status, 'rejected')
      assert.ok(found.status === 'fulfilled' && found.value?.id === 'a')
      assert.ok(removed.status === 'fulfilled' && removed.value)
      assert.ok(gone.status === 'fulfilled' && gone.value === null)
    })

    it('sees nothing of what an erased account had', async () => {
      await using directory = await temporaryDirectory()
      await using store = await sqliteStore(directory.file('nuncio.db'), collections)
      await save(store, kept, 1)

      await store.transact((tx) => tx.erase(ours))

      assert.equal(await find(store, kept), null)
    })
  })
}

function place(id: string): RowKey {
  return { table, account: ours, key: { id } }
}

function textIn(row: Row | null | undefined): unknown {
  return row?.[0]
}

async function save(store: Store, kept: Collection, size: number): Promise<void> {
  await store.transact((tx) => tx.in(ours).save(kept, { id: 'a' }, aThing('a', { size }), null))
}

/** As whoever is going to change it finds it. */
function find(store: Store, kept: Collection): Promise<Stored | null> {
  return store.transact((tx) => tx.in(ours).find(kept, { id: 'a' }))
}
