import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  accountId,
  type AccountReach,
  defaultAccount,
  everyAccount,
} from '../../src/core/account.ts'
import type { Store, Stored } from '../../src/core/ports/store.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { type TemporaryDirectory, temporaryDirectory } from './temporary-directory.ts'

const ours = accountId('ours')
const theirs = accountId('theirs')

describe('an instance of SQLite that is found at once', () => {
  it('is what was committed last, however often it was asked for before', async () => {
    await using directory = await temporaryDirectory()
    await using store = await open(directory)
    const seen: (string | undefined)[] = []
    const look = (): void => void seen.push(found(store, ours)?.doc)

    look()
    for (const name of ['one', 'two', 'three']) {
      await save(store, ours, name)
      look()
      look()
    }
    await store.transact((tx) => tx.in(ours).remove(things, { id: 'a' }))
    look()

    const names = seen.map((doc) => (doc === undefined ? null : JSON.parse(doc).name))
    assert.deepEqual(names, [null, 'one', 'one', 'two', 'two', 'three', 'three', null])
  })

  it('is not what a transaction has not committed, nor what it undid', async () => {
    await using directory = await temporaryDirectory()
    await using store = await open(directory)
    await save(store, ours, 'before')

    const undone = store.transact(async (tx) => {
      await tx.in(ours).save(things, { id: 'a' }, aThing('a', { name: 'within' }), null)
      assert.equal(nameOf(found(store, ours)), 'before')
      throw new Error('undone')
    })

    await assert.rejects(undone, /undone/)
    assert.equal(nameOf(found(store, ours)), 'before')
  })

  it('is the account’s own, or over all accounts the administrator’s before others', async () => {
    await using directory = await temporaryDirectory()
    await using store = await open(directory)
    await save(store, theirs, 'theirs')
    const before = [found(store, ours), found(store, everyAccount)].map(nameOf)
    await save(store, ours, 'ours')
    await save(store, defaultAccount, 'default')

    const all = found(store, everyAccount)

    assert.deepEqual(before, [null, 'theirs'])
    assert.deepEqual([nameOf(all), all?.account], ['default', defaultAccount])
    assert.deepEqual(
      [ours, theirs].map((reach) => nameOf(found(store, reach))),
      ['ours', 'theirs'],
    )
  })

  it('is the same that a read finds', async () => {
    await using directory = await temporaryDirectory()
    await using store = await open(directory)
    await save(store, theirs, 'theirs')

    for (const reach of [ours, theirs, everyAccount] as const) {
      const read = await store.read(reach, (reader) => reader.find(things, { id: 'a' }))
      assert.deepEqual(found(store, reach), read)
    }
  })
})

function open(directory: TemporaryDirectory): Promise<Store> {
  return sqliteStore(directory.file('nuncio.db'), sampleCollections)
}

function save(store: Store, account: typeof ours, name: string): Promise<Stored> {
  return store.transact((tx) =>
    tx.in(account).save(things, { id: 'a' }, aThing('a', { name }), null),
  )
}

function found(store: Store, reach: AccountReach): Stored | null {
  return store.findNow?.(reach, things, { id: 'a' }) ?? null
}

function nameOf(thing: Stored | null): string | null {
  return thing === null ? null : JSON.parse(thing.doc).name
}
