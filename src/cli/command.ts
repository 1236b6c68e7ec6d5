import type { Arguments, Flag } from './arguments.ts'
import type { ProcessContext } from './process-context.ts'

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
  /** What may follow the name as a word, one of these. */
  readonly words?: readonly string[]
  /**
   * Does it, and returns the exit code: 0 done, 1 failed, 2 called wrongly. What is wrong with
   * `given` is the command's to report.
   */
  run(given: GivenArguments, context: ProcessContext): Promise<number>
}

/** What a command is called with. */
export interface GivenArguments extends Arguments {
  /** The word behind the name, if one of the command's own stands there. */
  readonly word: string | null
}

/** The flag that every command has. */
export const helpFlag: Flag = { flag: 'help', placeholder: null, description: 'Shows this help.' }

/** Exit code of a command that failed. */
export const failed = 1

/** Exit code of a command that was called wrongly. */
export const calledWrongly = 2

/** Reports every fault of the command line; returns the exit code. */
export function refuse(
  { err }: Pick<ProcessContext, 'err'>,
  command: string,
  faults: readonly string[],
): number {
  err.write(`${faults.join('\n')}\n"nuncio ${command} --help" lists the flags.\n`)
  return calledWrongly
}
