import type { AccountId } from '../../../core/account.ts'
import { type Shard, shardNamed, wholeStore } from '../../../core/shard.ts'
import { cellOf } from '../../cell.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import { everyCell, type Slice, sliceOf } from '../../sql/tables/slice.ts'

/** The server of each cell. */
export interface CellLayout {
  readonly isDistributed: boolean
  readonly shards: readonly Shard[]
  shardOf(account: AccountId): Shard
  shardOfCell(cell: number): Shard
  /** Names the slice of a cell. */
  sliceNameOf(cell: number): string
  /** The slices of a shard, or of the store. */
  slicesOf(shard: Shard | undefined): readonly Slice[]
}

/** The layout of a store on one server. */
export const oneServer: CellLayout = {
  isDistributed: false,
  shards: [wholeStore],
  shardOf: () => wholeStore,
  shardOfCell: () => wholeStore,
  sliceNameOf: () => '',
  slicesOf: () => everyCell,
}

/** Reads the layout of a distributed store. It changes when shards are moved to another worker. */
export async function readLayout(connection: SqlConnection): Promise<CellLayout> {
  const rows = await connection.all(placements, [])
  const shardOfCell = new Map<number, Shard>()
  const names = new Map<number, string>()
  const cells = new Map<string, { readonly shard: Shard; readonly cells: number[] }>()
  for (const [cell, slice, worker] of rows) {
    const shard = shardNamed(textIn(worker))
    const found = cells.get(textIn(slice)) ?? { shard, cells: [] }
    found.cells.push(numberIn(cell))
    cells.set(textIn(slice), found)
    shardOfCell.set(numberIn(cell), shard)
    names.set(numberIn(cell), textIn(slice))
  }
  const slices = [...cells.values()].map((one) => ({ ...one, slice: sliceOf(one.cells) }))
  const byShard = Map.groupBy(slices, ({ shard }) => shard)
  const all = slices.map(({ slice }) => slice)
  return {
    isDistributed: true,
    shards: [...byShard.keys()].toSorted(),
    shardOf: (account) => shardOfCell.get(cellOf(account)) ?? wholeStore,
    shardOfCell: (cell) => shardOfCell.get(cell) ?? wholeStore,
    sliceNameOf: (cell) => names.get(cell) ?? '',
    slicesOf: (shard) =>
      shard === undefined || shard === wholeStore
        ? all
        : (byShard.get(shard) ?? []).map(({ slice }) => slice),
  }
}

/** A statement concerns one slice: what its database calls a shard. The shards here are servers. */
const placements = `
  select cell, s.slice::text, n.nodename || ':' || n.nodeport
  from generate_series(0, 255) as cell,
    lateral (select get_shard_id_for_distribution_column('submissions', cell::smallint) as slice) s
    join pg_dist_placement p on p.shardid = s.slice
    join pg_dist_node n on n.groupid = p.groupid
  where n.noderole = 'primary' order by s.slice, cell`
