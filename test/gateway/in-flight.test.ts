import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inFlight, type InFlight } from '../../src/gateway/submission/in-flight.ts'
import { settle, virtualClock } from '../support/virtual-clock.ts'

/** What is in flight with room for two, and tasks that leave and end when the test says so. */
function open(deadlineMs = 1000) {
  const clock = virtualClock(0)
  let told = 0
  const leaves: (() => void)[] = []
  const ends: (() => void)[] = []
  const signals: AbortSignal[] = []
  const flight = inFlight({ clock, max: () => 2, deadlineMs, onRoom: () => (told += 1) })
  const begin = (count: number): void => {
    for (let held = 0; held < count; held += 1) flight.hold()
    flight.begin(Array.from({ length: count }), (_, signal, leave) => {
      leaves.push(leave)
      signals.push(signal)
      return new Promise((resolve) => ends.push(resolve))
    })
  }
  return { clock, flight, begin, leaves, ends, signals, told: () => told }
}

/** Has all tasks begin, leave and stay, for as long as there is room. */
function fill(flight: InFlight, begin: (count: number) => void, leaves: (() => void)[]): number {
  let begun = 0
  for (; flight.room() > 0 && begun < 10_000; begun += 1) {
    begin(1)
    leaves.at(-1)?.()
  }
  return begun
}

describe('what is in flight', () => {
  it('has room again for what left, and tells of it', async () => {
    const { flight, begin, leaves, ends, told } = open()

    begin(2)
    const full = flight.room()
    leaves[0]?.()
    const left = flight.room()
    ends[0]?.()
    await settle()
    const ended = flight.room()
    ends[1]?.()
    await settle()

    assert.deepEqual([full, left, ended, flight.room()], [0, 1, 1, 2])
    assert.equal(told(), 3)
  })

  it('waits for what left where too much of it has not ended', async () => {
    const { flight, begin, leaves, ends } = open()

    const begun = fill(flight, begin, leaves)
    ends[0]?.()
    await settle()
    const again = flight.room()
    for (const end of ends) end()
    await settle()

    assert.deepEqual([begun, again, flight.room()], [102, 1, 2])
  })

  it('keeps room for what is held, until that is given back', () => {
    const { flight, told } = open()

    flight.hold()
    const held = flight.room()
    flight.release()

    assert.deepEqual([held, flight.room(), told()], [1, 2, 1])
  })

  it('is given its signal at the deadline, those that left included, and ends with the last', async () => {
    const { clock, flight, begin, leaves, ends, signals } = open()
    let isOver = false

    begin(2)
    leaves[0]?.()
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
