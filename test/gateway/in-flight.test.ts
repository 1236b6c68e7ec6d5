import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inFlight } from '../../src/gateway/submission/carrier-flights.ts'
import { settle, virtualClock } from '../support/virtual-clock.ts'

/** Opens a flight with room for two tasks, which end when the test says so. */
function open(deadlineMs = 1000) {
  const clock = virtualClock(0)
  let calls = 0
  const ends: (() => void)[] = []
  const signals: AbortSignal[] = []
  const flight = inFlight({ clock, max: () => 2, deadlineMs, onRoom: () => (calls += 1) })
  const begin = (count: number): void => {
    flight.begin(Array.from({ length: count }), (_, signal) => {
      signals.push(signal)
      return new Promise((resolve) => ends.push(resolve))
    })
  }
  return { clock, flight, begin, ends, signals, calls: () => calls }
}

describe('tasks in flight', () => {
  it('leave room when they end, and report it', async () => {
    const { flight, begin, ends, calls } = open()

    begin(2)
    const full = flight.room()
    ends[0]?.()
    await settle()
    const ended = flight.room()
    ends[1]?.()
    await settle()

    assert.deepEqual([full, ended, flight.room()], [0, 1, 2])
    assert.equal(calls(), 2)
  })

  it('are aborted at the deadline, and end with the last', async () => {
    const { clock, flight, begin, ends, signals } = open()
    let isOver = false

    begin(2)
    await clock.advance(1000)
    const over = flight.end(5000).then(() => (isOver = true))
    ends[0]?.()
    await settle()
    const early = isOver
    ends[1]?.()
    await over

    assert.deepEqual(
      [signals.map(({ aborted }) => aborted), early, clock.waiting()],
      [[true, true], false, 0],
    )
  })
})
