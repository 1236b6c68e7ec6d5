/** Where a line of a text begins and ends, and its place between the first line (0) and the end (1). */
export interface LineRange {
  readonly begin: number
  readonly end: number
  readonly place: number
}

/** Finds a line, counted from 1, in a text whose lines end with line feeds. */
export function lineRange(text: string, line: number): LineRange {
  const lines = text.split('\n')
  const before = lines.slice(0, line - 1)
  const begin = before.reduce((sum, { length }) => sum + length + 1, 0)
  const end = begin + (lines[line - 1]?.length ?? 0)
  return { begin, end, place: (line - 1) / lines.length }
}
