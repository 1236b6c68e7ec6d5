import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { deadlines } from '../../src/delivery/egress/poster.ts'
import { virtualClock } from '../support/virtual-clock.ts'

describe('deadlines', () => {
  it('wake each at its own time, whatever their lengths', async () => {
    const clock = virtualClock()
    const { after } = deadlines(clock)
    const woken: string[] = []
    const wait = (delayMs: number, name: string) =>
      after(delayMs, () => woken.push(`${name} after ${clock.monotonic()}`))

    wait(100, 'first')
    await clock.advance(30)
    wait(100, 'second')
    wait(20, 'short')
    await clock.advance(1000)
    wait(100, 'late')
    await clock.advance(1000)

    assert.deepEqual(woken, [
      'short after 50',
      'first after 100',
      'second after 130',
      'late after 1130',
    ])
    assert.equal(clock.waiting(), 0)
  })

  it('that are called off wake nobody, and hold up nobody', async () => {
    const clock = virtualClock()
    const { after } = deadlines(clock)
    const woken: number[] = []

    const cancel = after(100, () => woken.push(1))
    await clock.advance(10)
    after(100, () => woken.push(2))
    cancel()
    cancel()
    await clock.advance(200)

    assert.deepEqual(woken, [2])
    assert.equal(clock.waiting(), 0)
  })

  it('of one length take one timer', async () => {
    const clock = virtualClock()
    const { after } = deadlines(clock)

    for (let count = 0; count < 1000; count += 1) after(15_000, () => {})()

    assert.equal(clock.waiting(), 1)
  })
})
