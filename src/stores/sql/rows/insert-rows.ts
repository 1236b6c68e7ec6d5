import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { SqlConnection, SqlValue } from '../connection.ts'

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
