import type { Machine } from '../machine.ts'
import type { Options } from '../options.ts'
import type { Outcome } from '../outcome.ts'

/** One that took part, and on what terms. */
export interface Participant {
  readonly name: string
  readonly version: string
  readonly durability: string
}

/** All that a run of the bench found; its data, from which table and plots are made. */
export interface Results {
  readonly date: string
  /** The commit that was measured, with a plus where files were changed. */
  readonly commit: string
  readonly machine: Machine
  readonly options: Omit<Options, 'out'>
  readonly participants: readonly Participant[]
  /** Who could not take part, and why. */
  readonly absent: readonly string[]
  readonly outcomes: readonly Outcome[]
}
