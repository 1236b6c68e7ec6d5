import type { SqlConnection, SqlValue } from '../connection.ts'
import { textIn } from '../rows/row.ts'

/** How far a move has come. It stands in the target until the move is done. */
export interface MoveState {
  /** Where the rows come from. */
  readonly from: string
  readonly tables: Readonly<Record<string, TableState>>
}

/** How far a table has come. */
export interface TableState {
  /** Behind which row of the source it goes on; null: at the first. */
  readonly after: readonly SqlValue[] | null
  readonly rows: number
  readonly isDone: boolean
}

/** Where a table begins. */
export const notBegun: TableState = { after: null, rows: 0, isDone: false }

const name = 'move'

/** Asks a store whether a move into it is not finished; it has the table `meta`. */
export const unfinishedMove = `select value from meta where name = '${name}'`

/** Reads how far the move into a store has come; null where there is none that is not finished. */
export async function readMove(connection: SqlConnection): Promise<MoveState | null> {
  const row = await connection.first(unfinishedMove, [])
  return row === undefined ? null : JSON.parse(textIn(row[0]))
}

/** Keeps how far it has come. */
export async function keepMove(connection: SqlConnection, state: MoveState): Promise<void> {
  await connection.run(
    `insert into meta (name, value) values ('${name}', ?)
      on conflict (name) do update set value = excluded.value`,
    [JSON.stringify(state)],
  )
}

/** Forgets that there was a move. */
export async function forgetMove(connection: SqlConnection): Promise<void> {
  await connection.run(`delete from meta where name = '${name}'`, [])
}

/** What is said of a store into which a move is not finished. */
export function unfinishedText(value: unknown): string {
  const { from }: { readonly from?: unknown } = JSON.parse(textIn(value))
  return (
    `a move from ${String(from)} into it is not finished; run the same "nuncio migrate-store" again to ` +
    'go on, or empty it'
  )
}
