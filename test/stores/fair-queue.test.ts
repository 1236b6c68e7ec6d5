import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { QueryTimeout } from '../../src/core/ports/store.ts'
import { fairQueue, type FairQueue, runInTurn } from '../../src/stores/sql/lists/fair-queue.ts'
import { settle } from '../support/virtual-clock.ts'

/** Tasks in a queue, which end when the test says so. */
function tasksIn(queue: FairQueue) {
  const started: string[] = []
  const ends = new Map<string, PromiseWithResolvers<string>>()
  const never = new AbortController().signal
  return {
    /** The tasks that have started, in this order. */
    started,
    add: (account: string, name: string, signal: AbortSignal = never): Promise<string> => {
      const end = Promise.withResolvers<string>()
      ends.set(name, end)
      return runInTurn(queue, account, signal, () => {
        started.push(name)
        return end.promise
      })
    },
    end: async (name: string): Promise<void> => {
      ends.get(name)?.resolve(name)
      await settle()
    },
    fail: async (name: string): Promise<void> => {
      ends.get(name)?.reject(new Error(name))
      await settle()
    },
    endAll: async (): Promise<void> => {
      for (let count = -1; count !== started.length;) {
        count = started.length
        for (const { resolve } of ends.values()) resolve('')
        await settle()
      }
    },
  }
}

describe('the queue of expensive reads', () => {
  it('runs at most two of one account, although places are free', async () => {
    const tasks = tasksIn(fairQueue(4))

    const answers = ['a1', 'a2', 'a3', 'a4'].map((name) => tasks.add('a', name))
    await settle()
    assert.deepEqual(tasks.started, ['a1', 'a2'])
    await tasks.end('a1')

    assert.deepEqual(tasks.started, ['a1', 'a2', 'a3'])
    assert.equal(await answers[0], 'a1')
    await tasks.endAll()
    assert.deepEqual(tasks.started, ['a1', 'a2', 'a3', 'a4'])
  })

  it('counts the running tasks of an account that has none waiting', async () => {
    const tasks = tasksIn(fairQueue(4))
    void tasks.add('a', 'a1')
    void tasks.add('a', 'a2')

    await tasks.end('a1')
    void tasks.add('a', 'a3')
    void tasks.add('a', 'a4')
    await settle()

    assert.deepEqual(tasks.started, ['a1', 'a2', 'a3'])
    await tasks.endAll()
  })

  it('runs at most as many as there are places', async () => {
    const tasks = tasksIn(fairQueue(3))

    for (const account of ['a', 'b', 'c', 'd']) void tasks.add(account, `${account}1`)
    await settle()
    assert.deepEqual(tasks.started, ['a1', 'b1', 'c1'])
    await tasks.end('b1')

    assert.deepEqual(tasks.started, ['a1', 'b1', 'c1', 'd1'])
    await tasks.endAll()
  })

  it('gives a free place to each account in turn, and keeps the order within an account', async () => {
    const tasks = tasksIn(fairQueue(1))
    for (const name of ['a1', 'a2', 'a3', 'b1', 'b2', 'c1']) void tasks.add(name.slice(0, 1), name)

    // The others came after the first had started, and wait for one more.
    const order = ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']
    for (const name of order) {
      await settle()
      assert.equal(tasks.started.at(-1), name)
      await tasks.end(name)
    }

    assert.deepEqual(tasks.started, order)
  })

  it('does not let an account with two running tasks delay others', async () => {
    const tasks = tasksIn(fairQueue(3))
    for (const name of ['a1', 'a2', 'a3', 'a4']) void tasks.add('a', name)

    void tasks.add('b', 'b1')
    await settle()

    assert.deepEqual(tasks.started, ['a1', 'a2', 'b1'])
    await tasks.endAll()
  })

  it('removes a waiting task that is aborted, and no other', async () => {
    const tasks = tasksIn(fairQueue(1))
    const stop = new AbortController()
    void tasks.add('a', 'a1')
    const before = tasks.add('a', 'a2')
    const aborted = tasks.add('a', 'a3', stop.signal)
    const after = tasks.add('a', 'a4')

    stop.abort()
    await assert.rejects(aborted, QueryTimeout)
    for (const name of ['a1', 'a2', 'a4']) await tasks.end(name)

    assert.deepEqual(tasks.started, ['a1', 'a2', 'a4'])
    assert.deepEqual(await Promise.all([before, after]), ['a2', 'a4'])
  })

  it('leaves a task to its own signal once it runs', async () => {
    const tasks = tasksIn(fairQueue(1))
    const stop = new AbortController()
    const running = tasks.add('a', 'a1', stop.signal)
    const waiting = tasks.add('a', 'a2')
    await settle()

    stop.abort()
    await settle()
    assert.deepEqual(tasks.started, ['a1'])
    await tasks.end('a1')

    assert.equal(await running, 'a1')
    assert.deepEqual(tasks.started, ['a1', 'a2'])
    await tasks.endAll()
    await waiting
  })

  it('does not start a task whose signal is aborted already', async () => {
    const tasks = tasksIn(fairQueue(1))

    await assert.rejects(tasks.add('a', 'a1', AbortSignal.abort()), QueryTimeout)

    assert.deepEqual(tasks.started, [])
  })

  it('releases the place of a task that fails', async () => {
    const tasks = tasksIn(fairQueue(1))
    const failing = assert.rejects(tasks.add('a', 'a1'), { message: 'a1' })
    const next = tasks.add('a', 'a2')

    await tasks.fail('a1')
    await failing
    await tasks.end('a2')

    assert.equal(await next, 'a2')
  })

  it('refuses a task if 1,000 of its account wait, and only then', async () => {
    const tasks = tasksIn(fairQueue(2))
    const names = Array.from({ length: 1002 }, (_, at) => `a${at}`)
    const accepted = names.map((name) => tasks.add('a', name))

    await assert.rejects(tasks.add('a', 'too many'), QueryTimeout)
    const other = tasks.add('b', 'b0')
    for (const name of ['a0', 'a1', 'b0']) await tasks.end(name)
    const again = tasks.add('a', 'again')
    await tasks.endAll()

    await Promise.all([...accepted, other, again])
    assert.equal(tasks.started.length, 1004)
    assert.equal(tasks.started[3], 'b0')
  })
})
