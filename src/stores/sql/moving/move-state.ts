import type { SqlConnection, SqlValue } from '../connection.ts'
import { textIn } from '../rows/row.ts'

/** The progress of a move. The target stores it until the move is complete. */
export interface MoveState {
  /** The source of the rows. */
  readonly from: string
  readonly tables: Readonly<Record<string, TableState>>
}

/** The progress of one table. */
export interface TableState {
  /** The last moved row of the source; null: none. */
  readonly after: readonly SqlValue[] | null
  readonly rows: number
  readonly isDone: boolean
}

/** The first progress of a table. */
export const notBegun: TableState = { after: null, rows: 0, isDone: false }

const name = 'move'

/** Finds an unfinished move into a store that has the table `meta`. */
export const unfinishedMove = `select value from meta where name = '${name}'`

/** Reads the progress of the move into a store; null if none is unfinished. */
export async function readMove(connection: SqlConnection): Promise<MoveState | null> {
  const row = await connection.first(unfinishedMove, [])
  return row === undefined ? null : JSON.parse(textIn(row[0]))
}

/** Stores the progress. */
export async function keepMove(connection: SqlConnection, state: MoveState): Promise<void> {
  await connection.run(
    `insert into meta (name, value) values ('${name}', ?)
      on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(state)],
  )
}

/** Removes the progress of a complete move. */
export async function forgetMove(connection: SqlConnection): Promise<void> {
  await connection.run(`delete from meta where name = '${name}'`, [])
}

/** Returns the message about a store with an unfinished move. */
export function unfinishedText(value: unknown): string {
  const { from }: { readonly from?: unknown } = JSON.parse(textIn(value))
  return (
    `a move from ${String(from)} into it is not finished; run the same "nuncio migrate-store" again to ` +
    'finish it, or empty the store'
  )
}
