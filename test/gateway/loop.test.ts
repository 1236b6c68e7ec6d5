import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Instant } from '../../src/core/ports/clock.ts'
import { loop, type Loop } from '../../src/gateway/loop.ts'
import { settle, virtualClock, type VirtualClock } from '../support/virtual-clock.ts'

interface Run {
  readonly clock: VirtualClock
  readonly loop: Loop
  /** When it ran, in milliseconds from the start. */
  readonly runs: number[]
}

/** A loop that polls every 1000 ms and asks for what `next` says. */
function open(next: (run: number) => Promise<Instant | null>): Run {
  const clock = virtualClock(0)
  const runs: number[] = []
  const work = (): Promise<Instant | null> => {
    runs.push(clock.monotonic())
    return next(runs.length)
  }
  return { clock, runs, loop: loop({ name: 'test', clock, log: () => {}, pollMs: 1000, work }) }
}

describe('a loop', () => {
  it('runs when it is woken, then at least every so often', async () => {
    const { clock, loop, runs } = open(async () => null)

    await clock.advance(500)
    loop.wake(500)
    await clock.advance(2500)

    assert.deepEqual(runs, [500, 1500, 2500])
    await loop.stop()
  })

  it('runs at the earliest time that it is woken for', async () => {
    const { clock, loop, runs } = open(async () => null)

    loop.wake(900)
    loop.wake(300)
    loop.wake(700)
    await clock.advance(800)

    assert.deepEqual(runs, [300])
    await loop.stop()
  })

  it('runs again at once while there is more to do', async () => {
    const { clock, loop, runs } = open(async (run) => (run < 4 ? 0 : null))

    loop.wake(0)
    await clock.advance(0)

    assert.deepEqual(runs, [0, 0, 0, 0])
    await loop.stop()
  })

  it('runs once more when it is woken while it runs, and never twice at once', async () => {
    let finish = (): void => {}
    const { clock, loop, runs } = open(
      (run) =>
        new Promise((resolve) => (run === 1 ? (finish = () => resolve(null)) : resolve(null))),
    )

    loop.wake(0)
    await clock.advance(10)
    loop.wake(0)
    loop.wake(5)
    await clock.advance(10)
    const during = runs.length
    finish()
    await clock.advance(10)

    assert.equal(during, 1)
    assert.deepEqual(runs, [0, 20])
    await loop.stop()
  })

  it('rests for a second after a failure, woken or not', async () => {
    const { clock, loop, runs } = open(async (run) => {
      if (run === 1) throw new Error('the store is away')
      return null
    })

    loop.wake(0)
    await clock.advance(100)
    loop.wake(100)
    await clock.advance(1000)

    assert.deepEqual(runs, [0, 1000])
    await loop.stop()
  })

  it('does not sleep through a time that the wall clock jumps over', async () => {
    const { clock, loop, runs } = open(async () => null)

    loop.wake(500)
    clock.jump(3_600_000)
    loop.wake(3_600_000)
    await clock.advance(0)

    assert.deepEqual(runs, [0])
    await loop.stop()
  })

  it('runs no more once it is stopped', async () => {
    const { clock, loop, runs } = open(async () => null)
    loop.wake(100)

    await loop.stop()
    loop.wake(0)
    await clock.advance(5000)
    await settle()

    assert.deepEqual(runs, [])
    assert.equal(clock.waiting(), 0)
  })
})
