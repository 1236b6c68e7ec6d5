import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { requestScheduler } from '../../src/http/server/request-scheduler.ts'

/** A clock that moves with each piece of work. */
function workshop() {
  let nowMs = 0
  const begun: string[] = []
  const timers: (() => void)[] = []
  const turns = requestScheduler({
    now: () => nowMs,
    monotonic: () => nowMs,
    after: (_, wake) => {
      timers.push(wake)
      return () => {}
    },
  })
  const ask = (client: string, name: string, costMs: number): void =>
    turns.begin(client, () => {
      begun.push(name)
      nowMs += costMs
    })
  const timeOver = (): void => timers.shift()?.()
  return { ask, begun, accepted: turns.accepted, alone: turns.alone, timeOver }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('Requests of one turn of the event loop', () => {
  it('begin immediately while there is time', () => {
    const { ask, begun } = workshop()

    for (const name of ['a1', 'a2', 'a3']) ask('a', name, 0.5)

    assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  })

  it('wait for later turns when there is none, in which clients take turns', async () => {
    const { ask, begun } = workshop()

    for (let index = 1; index <= 6; index += 1) ask('a', `a${index}`, 1)
    ask('b', 'b1', 1)
    const first = [...begun]
    await nextTurn()
    const second = begun.slice(first.length)
    await nextTurn()

    assert.deepEqual(first, ['a1', 'a2'])
    assert.deepEqual(second, ['a3', 'b1'])
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'a4', 'a5'])
  })

  it('wait, all but one, in a turn that accepted a connection', async () => {
    const { ask, begun, accepted } = workshop()

    for (let index = 1; index <= 12; index += 1) ask('a', `a${index}`, 0.5)
    accepted()
    const first = begun.length
    await nextTurn()
    const second = begun.length - first
    await nextTurn()
    const third = begun.length - first - second

    assert.deepEqual([first, second, third], [4, 1, 4])
  })

  it('begin when a connection was accepted and none wait', () => {
    const { ask, begun, accepted } = workshop()

    accepted()
    ask('a', 'a1', 0.5)

    assert.deepEqual(begun, ['a1'])
  })

  it('with large bodies begin one at a time, and leave the others time in between', async () => {
    const { ask, begun, alone, timeOver } = workshop()

    for (const name of ['large1', 'large2']) alone(() => begun.push(name))
    for (const name of ['a1', 'a2', 'a3']) {
      await nextTurn()
      ask('a', name, 0.5)
    }
    timeOver()
    await nextTurn()
    alone(() => begun.push('large3'))
    timeOver()
    await nextTurn()

    assert.deepEqual(begun, ['large1', 'a1', 'a2', 'a3', 'large2', 'large3'])
  })

  it('that come later do not overtake those that wait', async () => {
    const { ask, begun } = workshop()

    ask('a', 'a1', 20)
    ask('a', 'a2', 1)
    await nextTurn()
    ask('a', 'a3', 1)

    assert.deepEqual(begun, ['a1', 'a2', 'a3'])
  })

  it('each get a turn, however long the one before took', async () => {
    const { ask, begun } = workshop()

    for (const client of ['a', 'b', 'c']) ask(client, client, 100)
    for (let turn = 0; turn < 3; turn += 1) await nextTurn()

    assert.deepEqual(begun, ['a', 'b', 'c'])
  })
})
