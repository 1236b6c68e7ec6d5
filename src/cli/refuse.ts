import type { ProcessContext } from './process-context.ts'

/** Exit code of a command that failed. */
export const failed = 1

/** Exit code of a command that was called wrongly. */
export const calledWrongly = 2

/** Tells a person why a command was called wrongly, all reasons at once; returns the exit code. */
export function refuse(
  { err }: Pick<ProcessContext, 'err'>,
  command: string,
  faults: readonly string[],
): number {
  err.write(`${faults.join('\n')}\n"nuncio ${command} --help" lists what it takes.\n`)
  return calledWrongly
}
