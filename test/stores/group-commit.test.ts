import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { type Commit, type Store, StoreUnavailable, where } from '../../src/core/ports/store.ts'
import type { SqliteConnection } from '../../src/stores/sqlite/connection.ts'
import {
  type SqliteGroupCommit,
  groupCommit,
} from '../../src/stores/sqlite/commits/group-commit.ts'
import { nextTurn } from '../../src/core/ports/clock.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { aThing, sampleCollections, things } from '../conformance/sample-collections.ts'
import { aNotification, everything } from '../conformance/sample-notifications.ts'
import { temporaryDirectory } from './temporary-directory.ts'
import { eraseAccount } from '../support/erase-account.ts'

const ours = accountId('ours')

/** Time stands still: a group has all that wait. */
const still = { monotonic: () => 0 }
const hooks = {
  clock: still,
  append: () => {},
  before: () => {},
  flush: () => Promise.resolve(),
  after: () => {},
}

describe('a group of transactions', () => {
  it('shares one commit', async () => {
    await using directory = await temporaryDirectory()
    const file = directory.file('nuncio.db')
    await using store = await sqliteStore(file, sampleCollections, () => {}, { clock: still })
    const commits: Commit[] = []
    store.onCommit((commit) => commits.push(commit))

    await Promise.all(Array.from({ length: 50 }, (_, index) => save(store, `t${index}`)))

    assert.equal(commits.length, 1)
    assert.equal((await ids(store)).length, 50)
  })

  it('loses those that fail after they wrote, wherever they stand, and no other', async () => {
    await using directory = await temporaryDirectory()
    await using store = await sqliteStore(directory.file('nuncio.db'), sampleCollections)
    const failing = new Set([0, 3, 7, 8, 9, 20, 30, 31, 32, 49])

    const results = await Promise.allSettled(
      Array.from({ length: 50 }, (_, index) =>
        store.transact(async (tx) => {
          const id = `t${String(index).padStart(2, '0')}`
          await tx.in(ours).save(things, { id }, aThing(id, { size: index }), null)
          await tx.in(ours).enqueue(id, index)
          if (failing.has(index)) throw new Error('no')
          await tx.in(ours).enqueue(id, index + 1000)
          return id
        }),
      ),
    )

    const kept = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
    assert.equal(kept.length, 40)
    assert.deepEqual(await ids(store), kept)
    const due = await store.transact((tx) => tx.submissions.claim(5000, 6000, 100))
    assert.deepEqual(
      due.map(({ messageId }) => messageId),
      kept,
    )
  })

  it('loses no other either where failures come in one group after another', async () => {
    await using directory = await temporaryDirectory()
    await using store = await sqliteStore(directory.file('nuncio.db'), sampleCollections)
    const kept: string[] = []

    // The third has none, so that the fourth begins without savepoints again.
    for (const [group, failing] of [[1, 70], [0, 33, 66], [], [40]].entries()) {
      await Promise.allSettled(
        Array.from({ length: 80 }, (_, index) =>
          store.transact(async (tx) => {
            const id = `t${group}-${String(index).padStart(2, '0')}`
            await tx.in(ours).save(things, { id }, aThing(id, { size: index }), null)
            if (failing.includes(index)) throw new Error('no')
            kept.push(id)
          }),
        ),
      )
    }

    assert.equal(kept.length, 4 * 80 - 6)
    assert.deepEqual(await ids(store), kept)
  })

  it('numbers the notifications of its tasks in their order, without those of a failed one', async () => {
    await using directory = await temporaryDirectory()
    await using store = await sqliteStore(directory.file('nuncio.db'), sampleCollections)

    await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) =>
        store.transact(
          async (tx) => {
            await tx.in(ours).notify(aNotification(`m${index}`))
            if (index === 20) throw new Error('no')
          },
          index % 8 === 0 ? 'ALONE' : 'TOGETHER',
        ),
      ),
    )

    const entries = await store.log.read(ours, null, everything, 100)
    assert.deepEqual(
      entries.map(({ position, messageId }) => [position, messageId]),
      Array.from({ length: 40 }, (_, index) => `m${index}`)
        .filter((id) => id !== 'm20')
        .map((id, index) => [String(index + 1), id]),
    )
  })

  it('leaves no notification of an account that a later task erases', async () => {
    await using directory = await temporaryDirectory()
    await using store = await sqliteStore(directory.file('nuncio.db'), sampleCollections)

    await Promise.all([
      store.transact((tx) => tx.in(ours).notify(aNotification('m')), 'TOGETHER'),
      store.transact((tx) => eraseAccount(tx, ours)),
    ])

    assert.deepEqual(await store.log.read(ours, null, everything, 100), [])
    assert.equal(await store.log.end(ours), '1')
  })

  it('is answered as unavailable when its commit fails, and the next is committed', async () => {
    const database = fakeConnection()
    const group = groupCommit(database, hooks)
    database.failing.add('commit')

    const refused = await Promise.allSettled([write(group, 'a'), write(group, 'b')])

    for (const outcome of refused) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
    }
    database.failing.delete('commit')
    await write(group, 'c')
    assert.deepEqual(database.committed, ['c'])
  })

  it('is answered as unavailable when the database undoes it, whatever its works say', async () => {
    const database = fakeConnection()
    const group = groupCommit(database, hooks)

    const before = write(group, 'a')
    const full = group.run(async (connection) => {
      database.undo()
      await Promise.allSettled([connection.run('b', [])])
      return 'says that all is well'
    })
    const refused = await Promise.allSettled([before, full])

    for (const outcome of refused) {
      assert.ok(outcome.status === 'rejected' && outcome.reason instanceof StoreUnavailable)
    }
    await write(group, 'c')
    assert.deepEqual(database.committed, ['c'])
  })

  it('goes on after a rollback that failed', async () => {
    const database = fakeConnection()
    const group = groupCommit(database, hooks)
    database.failing.add('commit').add('rollback')
    await assert.rejects(write(group, 'a'), StoreUnavailable)
    database.failing.clear()

    await assert.rejects(write(group, 'b'), StoreUnavailable)
    await write(group, 'c')

    assert.deepEqual(database.committed, ['c'])
  })

  it('is answered when it is on the disk, and not before', async () => {
    const disk = slowDisk()
    const database = fakeConnection()
    const group = groupCommit(database, { ...hooks, flush: disk.flush })
    const answered: string[] = []
    const first = write(group, 'a').then(() => answered.push('a'))
    const read = group.run(async () => database.committed.length)

    await turns(3)
    assert.deepEqual([database.committed, answered], [['a'], []])
    disk.flushed()
    await first

    assert.equal(await read, 0)
    assert.deepEqual(answered, ['a'])
  })

  it('that only reads is answered after what it saw is on the disk', async () => {
    const disk = slowDisk()
    const database = fakeConnection()
    const group = groupCommit(database, { ...hooks, flush: disk.flush })
    const answered: string[] = []
    const written = write(group, 'a').then(() => answered.push('a'))
    await turns(3)
    const reads = Array.from({ length: 40 }, () =>
      group.run(async () => void answered.push(`saw ${database.committed.length}`)),
    )
    const read = Promise.all(reads).then(() => answered.push('reads'))
    await turns(3)

    assert.deepEqual([disk.flushing(), new Set(answered)], [1, new Set(['saw 1'])])
    disk.flushed()
    await Promise.all([written, read])
    assert.deepEqual(answered.slice(-2), ['a', 'reads'])
  })

  it('gathers while another is on its way to the disk, and waits for no more than is worth it', async () => {
    const disk = slowDisk()
    const database = fakeConnection()
    const group = groupCommit(database, { ...hooks, flush: disk.flush })
    const all = [write(group, 'first')]
    await turns(2)

    const few = Array.from({ length: 5 }, () => write(group, 'few'))
    await turns(3)
    assert.deepEqual(database.committed, ['first'])
    const many = Array.from({ length: 40 }, () => write(group, 'many'))
    await turns(3)
    assert.equal(database.committed.length, 46)
    assert.equal(disk.flushing(), 2)
    disk.flushed()
    disk.flushed()

    await Promise.all([...all, ...few, ...many])
  })

  it('grows while each turn brings more, up to a bound, and commits what comes alone at once', async () => {
    const database = fakeConnection()
    const group = groupCommit(database, hooks)
    const all: Promise<number>[] = []

    all.push(write(group, 'alone'))
    await turns(2)
    const alone = database.committed.length
    all.push(write(group, 'growing'))
    for (let turn = 0; turn < 3; turn += 1) {
      all.push(write(group, 'growing'))
      await nextTurn()
    }
    const growing = database.committed.length
    await turns(2)
    const grown = database.committed.length
    const sizes: number[] = []
    all.push(write(group, 'for ever'))
    for (let turn = 0; turn < 30; turn += 1) {
      all.push(write(group, 'for ever'))
      await nextTurn()
      sizes.push(database.committed.length - grown)
    }
    await Promise.all(all)

    assert.deepEqual([alone, growing, grown], [1, 1, 5])
    assert.equal(
      sizes.find((size) => size > 0),
      10,
    )
  })

  it('leaves to the next what has not begun after ten milliseconds', async () => {
    const database = fakeConnection()
    const clock = { nowMs: 0, monotonic: () => clock.nowMs }
    const group = groupCommit(database, { ...hooks, clock })
    const committed: (readonly string[])[] = []

    const all = ['a', 'b', 'c', 'd'].map((value) =>
      group.run(async (connection) => {
        committed.push([...database.committed])
        clock.nowMs += 6
        await connection.run(value, [])
      }),
    )
    await Promise.all(all)

    assert.deepEqual(committed, [[], [], ['a', 'b'], ['a', 'b']])
    assert.deepEqual(database.committed, ['a', 'b', 'c', 'd'])
  })

  it('is refused, and all that follow, when the disk does not take what is committed', async () => {
    const group = groupCommit(fakeConnection(), {
      ...hooks,
      flush: () => Promise.reject(new Error('the disk is gone')),
    })

    await assert.rejects(write(group, 'a'), StoreUnavailable)

    await assert.rejects(write(group, 'b'), /the disk is gone/)
  })

  it('refuses what comes when ten thousand wait', async () => {
    const group = groupCommit(fakeConnection(), hooks)
    const waiting = Array.from({ length: 10_000 }, () => write(group, 'a'))

    const refused = write(group, 'b')

    await assert.rejects(refused, (error) => error instanceof StoreUnavailable)
    await Promise.all(waiting)
    await write(group, 'c')
  })
})

/** A disk that takes its time. */
function slowDisk(): { flush: () => Promise<void>; flushed: () => void; flushing: () => number } {
  const waiting: (() => void)[] = []
  return {
    flush: () => new Promise((resolve) => waiting.push(resolve)),
    flushed: () => waiting.shift()?.(),
    flushing: () => waiting.length,
  }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextTurn()
}

interface FakeConnection extends SqliteConnection {
  /** Statements that throw. */
  readonly failing: Set<string>
  /** What was written and committed. */
  readonly committed: string[]
  /** Ends the transaction as SQLite does when the disk is full. */
  undo(): void
}

/** A connection that notes what is run; it knows transactions, and no savepoints. */
function fakeConnection(): FakeConnection {
  const failing = new Set<string>()
  const committed: string[] = []
  let written: string[] | null = null
  const now = (sql: string): void => {
    if (failing.has(sql)) throw new Error(`cannot ${sql}`)
    if (sql.startsWith('begin') && written !== null) throw new Error('in a transaction already')
    if (sql.startsWith('begin')) written = []
    if (sql === 'commit') committed.push(...(written ?? []))
    if (sql === 'commit' || sql === 'rollback') written = null
  }
  const connection: FakeConnection = {
    failing,
    committed,
    now,
    undo: () => (written = null),
    all: async () => [],
    first: async () => undefined,
    run: async (sql) => connection.runNow(sql, []),
    allNow: () => [],
    firstNow: () => undefined,
    runNow: (sql) => {
      if (written === null) throw new Error('no transaction')
      return written.push(sql)
    },
    get inTransaction() {
      return written !== null
    },
    lockName: async () => {},
    attempt: (work) => work(),
    close: () => {},
  }
  return connection
}

function write(group: SqliteGroupCommit, sql: string): Promise<number> {
  return group.run((connection) => connection.run(sql, []))
}

async function save(store: Store, id: string): Promise<void> {
  await store.transact((tx) => tx.in(ours).save(things, { id }, aThing(id), null))
}

async function ids(store: Store): Promise<readonly string[]> {
  const found = await store.read(ours, (reader) => reader.list(things, null, where([], 1000)))
  return found.map(({ id }) => id)
}
