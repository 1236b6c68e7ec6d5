import type { Moved, MoveReport } from '../../../core/ports/moving.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { compareEnds } from './compare-ends.ts'
import { moveRows } from './move-rows.ts'
import { forgetMove, keepMove, readMove, type MoveState } from './move-state.ts'
import { collectionsOf, planMove, type TableMove } from './plan-move.ts'
import { countRows, hasRows } from './read-rows.ts'
import type { OpenTarget, StoreEnd, TargetEnd } from './store-end.ts'

/** Dependencies of a move. */
export interface MoveParts {
  readonly source: StoreEnd
  readonly openTarget: OpenTarget
  readonly report: (report: MoveReport) => void
}

/**
 * Moves the content of a store into an empty one, and then compares both. An interrupted move continues
 * from its last commit. Throws `StoreUnavailable`, with the remedy, if it cannot succeed. No node starts
 * on the target before it is complete.
 */
export async function moveStore(parts: MoveParts): Promise<Moved> {
  const { source, openTarget, report } = parts
  const collections = await collectionsOf(source)
  await using target = await openTarget(collections)
  const moves = await planMove(source, target, collections)
  const state = await begin(source, target, moves)
  const all = await allRows(source, moves)
  const before = Object.values(state.tables).reduce((sum, { rows }) => sum + rows, 0)
  const telling = (doing: MoveReport['doing'], begun = 0) => {
    let rows = begun
    return ({ table }: TableMove, more: number): void => {
      rows += more
      report({ doing, table: table.name, rows, all })
    }
  }
  const taking = { source, target }
  await moveRows(taking, moves, state, telling('moving', before))
  const tables = await compareEnds(taking, moves, telling('comparing'))
  await target.finish(moves.map(({ table }) => table.sql))
  await target.transact(() => forgetMove(target.connection))
  return { before, tables }
}

/** Returns the progress from which a move continues or begins. */
async function begin(
  source: StoreEnd,
  target: TargetEnd,
  moves: readonly TableMove[],
): Promise<MoveState> {
  const begun = await readMove(target.connection)
  if (begun !== null) {
    if (begun.from === source.shown) return begun
    throw new StoreUnavailable(
      `${target.shown} holds a move from ${begun.from} that is not finished; finish that one, or empty it`,
    )
  }
  for (const { table, reading } of moves) {
    if (!(await hasRows(target.connection, reading))) continue
    throw new StoreUnavailable(
      `${target.shown} is not empty, it has rows in ${table.name}; name one that was never used`,
    )
  }
  const fresh: MoveState = { from: source.shown, tables: {} }
  await target.transact(() => keepMove(target.connection, fresh))
  return fresh
}

async function allRows(source: StoreEnd, moves: readonly TableMove[]): Promise<number> {
  let all = 0
  for (const move of moves) all += await countRows(source.connection, move.reading)
  return all
}
