/** A deliberate change of the source: `text` in place of what stands from `start` to `end` of a file. */
export interface Mutation {
  readonly file: string
  readonly start: number
  readonly end: number
  readonly text: string
  /** The kind of change, or the name of its row. */
  readonly kind: string
  /** What breaks, in a few words. */
  readonly about: string
  /** Part of the path of the test file to run first, if it is known which one notices it. */
  readonly test?: string
}

/** The source of a file with a mutation in it. */
export function mutated(source: string, { start, end, text }: Mutation): string {
  return source.slice(0, start) + text + source.slice(end)
}

/** The line of a file, from 1, at which a mutation begins. */
export function lineOf(source: string, { start }: Mutation): number {
  return source.slice(0, start).split('\n').length
}
