import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { SqlConnection, SqlValue } from './connection.ts'

/** A piece of SQL with the values of its parameters, in their order. */
export interface Fragment {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** A piece of SQL without parameters. */
export function plain(sql: string): Fragment {
  return { sql, params: [] }
}

/** A single parameter. */
export function parameter(value: SqlValue): Fragment {
  return { sql: '?', params: [value] }
}

/** Writes pieces into a text: `` join`${expression} = ${parameter(value)}` ``. */
export function join(texts: TemplateStringsArray, ...pieces: readonly Fragment[]): Fragment {
  let sql = texts[0] ?? ''
  const params: SqlValue[] = []
  for (const [index, piece] of pieces.entries()) {
    sql += piece.sql + (texts[index + 1] ?? '')
    params.push(...piece.params)
  }
  return { sql, params }
}

/** Joins conditions by `and`; none is always true. */
export function allOf(pieces: readonly Fragment[]): Fragment {
  return pieces.length === 0 ? plain('1 = 1') : list(pieces, ' and ')
}

/** Joins conditions by `or`, in parentheses; none is never true. */
export function anyOf(pieces: readonly Fragment[]): Fragment {
  const [first] = pieces
  if (first === undefined) return never
  return pieces.length === 1 ? first : join`(${list(pieces, ' or ')})`
}

/** A condition that is never true. */
export const never: Fragment = plain('1 = 0')

/** Joins pieces in their order. */
export function list(pieces: readonly Fragment[], separator: string): Fragment {
  return {
    sql: pieces.map((piece) => piece.sql).join(separator),
    params: pieces.flatMap((piece) => piece.params),
  }
}

/** Rows that one statement inserts: each then costs little more than half as much. */
const together = 16

/** Returns the values of a statement for many rows, from those of one row. */
export function valuesTogether(marks: string): string {
  return Array(together).fill(marks).join(', ')
}

/** Statements that insert one row and many; `many` is null if the database combines equal statements. */
export interface Inserts {
  readonly one: string
  readonly many: string | null
}

/** Inserts rows, each by the parameters of `one`, in their order. */
export async function insertRows(
  connection: SqlConnection,
  { one, many }: Inserts,
  rows: readonly (readonly SqlValue[])[],
): Promise<void> {
  const sent: MaybePromise<number>[] = []
  const inFull = rows.length - (rows.length % together)
  let from = 0
  for (; many !== null && from < inFull; from += together) {
    sent.push(connection.run(many, rows.slice(from, from + together).flat()))
  }
  for (const row of rows.slice(from)) sent.push(connection.run(one, row))
  await Promise.all(sent)
}

/**
 * Begins the text of a statement that may run for many sets of parameters together. It reads or writes
 * only the rows that its parameters name. No two statements of one round trip write the same row, or their
 * order has no effect. Every mark is a value.
 */
export const inSets = '/* in sets */'
