import type { Clock } from '../../../src/core/ports/clock.ts'
import type { VirtualClock } from '../../support/virtual-clock.ts'

/** What a process runs on. All that reaches the process from outside comes in through here. */
export interface Machine {
  readonly name: string
  /** Its own: the wall clock may be wrong, and nothing rings once it is dead. */
  readonly clock: Clock
  /** How many of its awaits at the store are left until it dies. */
  fuse: number
  state(): 'RUNNING' | 'PAUSED' | 'DEAD'
  /** Lets something happen to the process: now, when it is resumed, or never. */
  enter(step: () => void): void
  /** What is done outside, as the process hears of it. */
  through<T>(outside: Promise<T>): Promise<T>
  /** What the process does in a transaction, which is undone where it dies meanwhile. */
  unlessDead<T>(inside: Promise<T>): Promise<T>
  /** Counts one await at the store; the process may be dead after it. */
  burn(): void
  pause(): void
  resume(): void
  die(): void
}

const dead = new Error('the process is dead')

/** Makes a machine whose wall clock is wrong by `driftMs`. */
export function machine(name: string, timeline: VirtualClock, driftMs: number): Machine {
  let state: 'RUNNING' | 'PAUSED' | 'DEAD' = 'RUNNING'
  const kept: (() => void)[] = []
  /** How those who work on the disk hear that they are dead. */
  const working = new Set<(reason: Error) => void>()

  const enter = (step: () => void): void => {
    if (state === 'PAUSED') kept.push(step)
    if (state === 'RUNNING') step()
  }

  const made: Machine = {
    name,
    fuse: Infinity,
    clock: {
      now: () => timeline.now() + driftMs,
      monotonic: () => timeline.monotonic(),
      after: (delayMs, wake) => {
        let isCalledOff = false
        const cancel = timeline.after(delayMs, () => enter(() => isCalledOff || wake()))
        return () => {
          isCalledOff = true
          cancel()
        }
      },
    },
    state: () => state,
    enter,
    through: (outside) =>
      new Promise((resolve, reject) => {
        outside.then(
          (value) => enter(() => resolve(value)),
          (error: unknown) => enter(() => reject(error)),
        )
      }),
    unlessDead: (inside) =>
      new Promise((resolve, reject) => {
        if (state === 'DEAD') reject(dead)
        working.add(reject)
        void inside.then(resolve, reject).finally(() => working.delete(reject))
      }),
    burn: () => {
      made.fuse -= 1
      if (made.fuse <= 0) made.die()
    },
    pause: () => {
      if (state === 'RUNNING') state = 'PAUSED'
    },
    resume: () => {
      if (state !== 'PAUSED') return
      state = 'RUNNING'
      for (const step of kept.splice(0)) timeline.after(0, () => enter(step))
    },
    die: () => {
      state = 'DEAD'
      for (const reject of working) reject(dead)
    },
  }
  return made
}
