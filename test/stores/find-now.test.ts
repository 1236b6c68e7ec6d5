import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  accountId,
  type AccountReach,
  defaultAccount,
  everyAccount,
} from '../../src/core/account.ts'
import type { Store, Stored } from '../../src/core/store.ts'
import { repeatedReads } from '../../src/stores/sqlite/repeated-reads.ts'
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

describe('what was found since the last commit', () => {
  it('is had again by account, collection and identifier until the next', () => {
    const reads = repeatedReads()
    const [first, second] = sampleCollections
    assert.ok(first && second)

    reads.keep(ours, first, { id: 'a' }, stored('a'))

    assert.equal(reads.get(ours, first, { id: 'a' })?.id, 'a')
    assert.equal(reads.get(theirs, first, { id: 'a' }), undefined)
    assert.equal(reads.get(ours, second, { id: 'a' }), undefined)
    assert.equal(reads.get(ours, first, { id: 'a', parent: 'p' }), undefined)
    reads.beforeCommit()
    assert.equal(reads.get(ours, first, { id: 'a' }), undefined)
  })

  it('is never another’s, however much there is', () => {
    const reads = repeatedReads()
    const ids = Array.from({ length: 5000 }, (_, index) => `thing_${index}`)

    for (const id of ids) reads.keep(ours, things, { id }, stored(id))

    const known = ids.filter((id) => reads.get(ours, things, { id }) !== undefined)
    assert.ok(known.length > 500 && known.length <= 1024)
    for (const id of known) assert.equal(reads.get(ours, things, { id })?.id, id)
  })

  it('is not kept where it is long', () => {
    const reads = repeatedReads()

    reads.keep(ours, things, { id: 'a' }, { ...stored('a'), doc: 'x'.repeat(5000) })

    assert.equal(reads.get(ours, things, { id: 'a' }), undefined)
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

function stored(id: string): Stored {
  return { account: ours, parent: null, id, doc: '{}', hidden: null, revision: 'r' }
}
