import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { wait } from '../../src/core/ports/clock.ts'
import { virtualClock } from '../support/virtual-clock.ts'

describe('a wait', () => {
  it('that is aborted leaves neither a timer nor a listener', async () => {
    const clock = virtualClock()
    const aborting = new AbortController()

    const waiting = wait(clock, 1000, aborting.signal)
    aborting.abort()
    await waiting

    assert.equal(clock.waiting(), 0)
    assert.equal(getEventListeners(aborting.signal, 'abort').length, 0)
  })

  it('that is over leaves no listener', async () => {
    const clock = virtualClock()
    const { signal } = new AbortController()
    let isOver = false
    const waiting = wait(clock, 1000, signal).then(() => (isOver = true))

    await clock.advance(999)
    const before = isOver
    await clock.advance(1)
    await waiting

    assert.equal(before, false)
    assert.equal(getEventListeners(signal, 'abort').length, 0)
    assert.equal(clock.waiting(), 0)
  })

  it('with a signal that was given begins none', async () => {
    const clock = virtualClock()

    await wait(clock, 1000, AbortSignal.abort())

    assert.equal(clock.waiting(), 0)
  })
})
