import type { Arguments, Flag } from './arguments.ts'
import type { Surroundings } from './surroundings.ts'

/** A command of the program. */
export interface Command {
  readonly name: string
  /** What it does, in one sentence. */
  readonly summary: string
  /** How it is called, behind `nuncio`. */
  readonly usage: string
  /** Further paragraphs of its help. */
  readonly notes?: readonly string[]
  readonly flags: readonly Flag[]
  /**
   * Does it, and returns the exit code: 0 done, 1 failed, 2 called wrongly. What is wrong with
   * `given` is the command's to report.
   */
  run(given: Arguments, surroundings: Surroundings): Promise<number>
}

/** The flag that every command has. */
export const helpFlag: Flag = { flag: 'help', placeholder: null, description: 'Shows this help.' }
