import type { Mutation } from './mutation.ts'

/**
 * A mutation that is always tested. It names no file, so that files may move: what it finds must be in
 * one place of the source.
 */
export interface Row {
  /** What breaks, in a few words. */
  readonly about: string
  /** The text that is replaced, with single spaces where the source has white space. */
  readonly find: string
  readonly replace: string
  /** Part of the path of the test file that notices it, which is run first. */
  readonly test: string
  /** What only the file that is meant has in it, if several have the text. */
  readonly near?: string
}

/** The mutation of a row; null if the source no longer has its text, or has it more than once. */
export function mutationOf(row: Row, sources: ReadonlyMap<string, string>): Mutation | null {
  const found = placesOf(row, sources)
  const [first] = found
  if (first === undefined || found.length > 1) return null
  return { ...first, text: row.replace, kind: row.about, about: row.about, test: row.test }
}

/** What is wrong with a row. */
export function faultsOf(row: Row, sources: ReadonlyMap<string, string>): readonly string[] {
  const found = placesOf(row, sources)
  if (found.length === 1) return []
  const places = found.map(({ file }) => file).join(', ')
  return [`row "${row.about}": ${found.length} places have its text (${places}). Correct the row.`]
}

function placesOf({ find, near = '' }: Row, sources: ReadonlyMap<string, string>) {
  const pattern = new RegExp(
    find
      .split(' ')
      .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
      .join(String.raw`\s+`),
    'g',
  )
  return [...sources]
    .filter(([, source]) => source.includes(near))
    .flatMap(([file, source]) =>
      [...source.matchAll(pattern)].map(({ 0: { length }, index }) => ({
        file,
        start: index,
        end: index + length,
      })),
    )
}
