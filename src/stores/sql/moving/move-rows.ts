import { keepMove, notBegun, type MoveState, type TableState } from './move-state.ts'
import type { TableMove } from './plan-move.ts'
import { readRows, type ReadRow } from './read-rows.ts'
import { takenRow, type Taking } from './taken-row.ts'

/** Receives the progress after each moved or compared slice. */
export type Told = (move: TableMove, rows: number) => void

/**
 * Moves the rows of all tables. One transaction contains a slice and the progress after it, from which an
 * interrupted move continues.
 */
export async function moveRows(
  taking: Taking,
  moves: readonly TableMove[],
  begun: MoveState,
  told: Told,
): Promise<void> {
  const { source, target } = taking
  let state = begun
  const keep = async (name: string, table: TableState): Promise<void> => {
    state = { ...state, tables: { ...state.tables, [name]: table } }
    await keepMove(target.connection, state)
  }
  for (const move of moves) {
    const { name } = move.table
    let at = state.tables[name] ?? notBegun
    told(move, 0)
    if (at.isDone) continue
    for await (const slice of readRows(source.connection, move.reading, at.after)) {
      const next = {
        after: slice.at(-1)?.place ?? null,
        rows: at.rows + slice.length,
        isDone: false,
      }
      await target.transact(async () => {
        await moveSlice(taking, move, slice)
        await keep(name, next)
      })
      at = next
      told(move, slice.length)
    }
    await target.transact(() => keep(name, { ...at, isDone: true }))
  }
}

async function moveSlice(
  { target }: Taking,
  move: TableMove,
  slice: readonly ReadRow[],
): Promise<void> {
  const rows = slice.map((row) => takenRow(move, row))
  await target.insert(move.table.name, move.columns, rows)
}
