import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import { settle } from '../support/virtual-clock.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** The flushes of the disk that have begun, each of which ends when it is told to. */
const flushes: ((error: Error | null) => void)[] = []

// The module takes them when it is loaded, so that they are replaced before.
const fs = process.getBuiltinModule('node:fs')
const fdatasync = (_: number, done: (error: Error | null) => void): void => void flushes.push(done)
Object.assign(fs, { fdatasync })
const { walFlush } = await import('../../src/stores/sqlite/commits/flush.ts')

async function start(t: TestContext) {
  flushes.length = 0
  const directory = await temporaryDirectory()
  const file = directory.file('nuncio.db')
  writeFileSync(`${file}-wal`, '')
  const flush = walFlush(file)
  t.after(() => {
    flush.close()
    return directory[Symbol.asyncDispose]()
  })
  const ended: string[] = []
  const run = (name: string): void =>
    void flush.run().then(
      () => ended.push(name),
      () => ended.push(`${name} failed`),
    )
  const end = async (index: number, error: Error | null = null): Promise<void> => {
    flushes[index]?.(error)
    await settle(2)
  }
  return { ended, run, end }
}

describe('a flush of the write-ahead log', () => {
  it('that is under way counts for nothing that was committed since: it needs another', async (t) => {
    const { ended, run, end } = await start(t)

    run('first')
    await settle(2)
    run('second')
    run('third')
    await end(0)
    const after = [[...ended], flushes.length]
    run('fourth')
    await end(1)
    const then = [[...ended], flushes.length]
    await end(2)

    assert.deepEqual(after, [['first'], 2])
    assert.deepEqual(then, [['first', 'second', 'third'], 3])
    assert.deepEqual(ended, ['first', 'second', 'third', 'fourth'])
  })

  it('begins at once where none is under way', async (t) => {
    const { ended, run, end } = await start(t)

    run('first')
    await end(0)
    run('second')
    await end(1)

    assert.deepEqual([ended, flushes.length], [['first', 'second'], 2])
  })

  it('that failed is the last: nothing is acknowledged after it', async (t) => {
    const { ended, run, end } = await start(t)

    run('first')
    run('second')
    await end(0, new Error('EIO'))
    run('third')
    await settle(2)

    assert.deepEqual(ended, ['first failed', 'second failed', 'third failed'])
    assert.equal(flushes.length, 1)
  })
})
