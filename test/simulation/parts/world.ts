import type { Random } from '../../../src/core/ports/random.ts'
import type { Store } from '../../../src/core/ports/store.ts'
import { standardOffer } from '../../../src/wiring/wire.ts'
import { memoryStore } from '../../oracle/memory-store.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { virtualClock, type VirtualClock } from '../../support/virtual-clock.ts'
import type { Machine } from './machine.ts'
import { drawTemper, type Temper } from './temper.ts'
import { witness, type Witness } from './witness.ts'

/** What all parts of a simulation share. */
export interface World {
  readonly timeline: VirtualClock
  readonly temper: Temper
  /** What survives processes. */
  readonly disk: Store
  readonly witness: Witness
  /** Decides by the seed. */
  readonly dice: Dice
  /** The randomness of the processes: apart, so that what they draw does not change what befalls them. */
  readonly random: Random
  /** Things go wrong until it is over. */
  isRough: boolean
  /** The process that commits just now: others hear of it later, or not at all. */
  committing: Machine | null
  /** The latest time that any wall clock has shown after a jump. */
  latest: number
  /** Notes what happened, to be read where something is wrong. */
  note(what: string): void
  /** Notes what must never be. */
  complain(what: string): void
  readonly trace: readonly Noted[]
  readonly complaints: readonly string[]
}

/** Something that happened, so long after the beginning. */
export interface Noted {
  readonly atMs: number
  readonly what: string
}

/** Draws from the seed. */
export interface Dice {
  fraction(): number
  /** True with this probability while the world is rough, else never. */
  strikes(probability: number): boolean
  /** A whole number from 0 up to, not including, `end`. */
  below(end: number): number
  pick<T>(from: readonly T[]): T | undefined
}

/** Makes the world of a seed. */
export function openWorld(seed: number): World {
  const timeline = virtualClock(Date.UTC(2026, 0, 1), 1)
  const drawn = seededRandom(seed)
  const temper = drawTemper(drawn)
  const trace: Noted[] = []
  const complaints: string[] = []
  const began = timeline.monotonic()

  const note = (what: string): void => {
    trace.push({ atMs: timeline.monotonic() - began, what })
  }
  const complain = (what: string): void => {
    note(`WRONG: ${what}`)
    complaints.push(what)
  }
  const below = (end: number): number => Math.floor(drawn.fraction() * end)
  const disk = memoryStore(standardOffer.collections)
  const world: World = {
    timeline,
    temper,
    disk,
    witness: witness(disk, complain),
    dice: {
      fraction: drawn.fraction,
      below,
      strikes: (probability) => world.isRough && drawn.fraction() < probability,
      pick: (from) => from[below(from.length)],
    },
    random: seededRandom(seed + 1_000_003),
    isRough: true,
    committing: null,
    latest: timeline.now(),
    note,
    complain,
    trace,
    complaints,
  }
  return world
}

/** Waits on the timeline, whatever becomes of a process; whole milliseconds, so that sums are exact. */
export function pass({ timeline }: Pick<World, 'timeline'>, delayMs: number): Promise<void> {
  return new Promise((resolve) => timeline.after(Math.ceil(delayMs), resolve))
}
