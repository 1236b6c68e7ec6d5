import type { Arguments, Flag } from './arguments.ts'
import type { ProcessContext } from './process-context.ts'

/** A command of the program. */
export interface Command {
  readonly name: string
  /** Its effect, in one sentence. It starts with a verb. */
  readonly summary: string
  /** Its usage, after `nuncio`. */
  readonly usage: string
  /** Further paragraphs of its help. */
  readonly notes?: readonly string[]
  readonly flags: readonly Flag[]
  /** The possible words after the name. */
  readonly words?: readonly CommandWord[]
  /**
   * Runs the command and returns the exit code: 0 done, 1 failed, 2 wrong usage. The command reports
   * the faults of `given`.
   */
  run(given: GivenArguments, context: ProcessContext): Promise<number>
}

/** A word after the name of a command. */
export interface CommandWord {
  readonly word: string
  /** Its effect, in one sentence. It starts with a verb. */
  readonly summary: string
  /** The argument after the word: its name for the help, and the possible texts if there are few. */
  readonly object?: {
    readonly placeholder: string
    readonly choices?: () => readonly string[]
    /** Further flags, which depend on the choice. */
    readonly flagsOf?: (choice: string) => readonly Flag[]
  }
  /** Every further flag is a field of the collection. */
  readonly takesFields?: boolean
}

/** The arguments of a command with its word. */
export interface GivenArguments extends Arguments {
  /** The word after the name, if the command has it. */
  readonly word: string | null
  /** The word after that, if the command has it. */
  readonly object: string | null
}

/** The flag of every command. */
export const helpFlag: Flag = { flag: 'help', placeholder: null, description: 'Shows this help.' }

/** Returns true if a flag is one of a word. */
export function takes({ words }: Flag, { word }: CommandWord): boolean {
  return words === undefined || words.includes(word)
}

/** Exit code of a command that failed. */
export const failed = 1

/** Exit code for wrong usage. */
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
