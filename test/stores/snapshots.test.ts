import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SqliteConnection } from '../../src/stores/sqlite/connection.ts'
import { snapshots } from '../../src/stores/sqlite/snapshots.ts'

/** Snapshots over connections that note what is asked of them. */
function start() {
  const connections: { statements: string[]; isClosed: boolean }[] = []
  const open = (): SqliteConnection => {
    const connection = { statements: [] as string[], isClosed: false }
    connections.push(connection)
    return {
      now: (sql: string) => void connection.statements.push(sql),
      close: () => void (connection.isClosed = true),
    } as unknown as SqliteConnection
  }
  return { snapshots: snapshots(open), connections }
}

/** A read that goes on until it is told to end. */
function longRead(given: ReturnType<typeof start>) {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { ended: given.snapshots.read(() => promise), end: resolve }
}

describe('the snapshots of SQLite', () => {
  it('use few connections, however many reads outlast a commit one after the other', async () => {
    const given = start()

    for (let turn = 0; turn < 50; turn += 1) {
      const read = longRead(given)
      given.snapshots.beforeCommit()
      await given.snapshots.read(async () => {})
      read.end()
      await read.ended
    }

    assert.equal(given.connections.length, 2)
  })

  it('keep four connections at most for the next time', async () => {
    const given = start()
    const reads = Array.from({ length: 10 }, () => {
      const read = longRead(given)
      given.snapshots.beforeCommit()
      return read
    })

    for (const read of reads) read.end()
    await Promise.all(reads.map(({ ended }) => ended))

    const isOpen = given.connections.filter(({ isClosed }) => !isClosed)
    assert.deepEqual([given.connections.length, isOpen.length], [11, 5])
    given.snapshots.close()
    assert.ok(given.connections.every(({ isClosed }) => isClosed))
  })

  it('share one transaction between two commits, which ends before the second', async () => {
    const given = start()

    await Promise.all([1, 2, 3].map(() => given.snapshots.read(async () => {})))
    given.snapshots.beforeCommit()
    given.snapshots.beforeCommit()

    assert.equal(given.connections.length, 1)
    const { statements = [] } = given.connections[0] ?? {}
    assert.deepEqual(
      statements.filter((sql) => sql === 'begin' || sql === 'commit'),
      ['begin', 'commit'],
    )
  })
})
