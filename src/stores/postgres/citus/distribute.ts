import type {
  DistributionReport,
  DistributionStep,
  WorkerShare,
} from '../../../core/ports/distribution.ts'
import { StoreUnavailable } from '../../../core/ports/store.ts'
import { accountId } from '../../../core/account.ts'
import { writeRoute } from '../../sql/queues/receipt-routes.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'
import type { SqlConnection, SqlValue } from '../../sql/connection.ts'
import { readKept } from '../../sql/declarations/stored-declarations.ts'
import type { StoreEnd } from '../../sql/moving/store-end.ts'
import { unfinishedMove, unfinishedText } from '../../sql/moving/move-state.ts'
import { tableOf } from '../../sql/tables/table.ts'
import { postgresDialect } from '../dialect.ts'
import { inTransaction } from '../connection/lock-briefly.ts'
import { checkCluster, extensionVersion } from './check-cluster.ts'
import { distributeTable, growingTables, notDistributed } from './distributed-tables.ts'
import { keepDistribution, readDistribution } from './distribution-state.ts'

/** Dependencies of the distribution of a store. */
export interface DistributeParts {
  /** The store. No node uses it during the distribution. */
  readonly end: StoreEnd
  /** In how many pieces each table is cut. Null: as those are that are distributed, or else the usual number. */
  readonly shards: number | null
  readonly report: (step: DistributionStep) => void
}

/** A power of two, so that pieces have about the same number of cells. */
const usualShards = 32

/**
 * Distributes the growing tables of a store over the workers of a Citus cluster, with their rows. An
 * interrupted run resumes with the remaining tables; a complete one changes nothing. Throws
 * `StoreUnavailable` with the remedy if it cannot begin.
 */
export async function distribute({ end, shards, report }: DistributeParts): Promise<void> {
  const { connection, shown } = end
  await checkCluster(connection, shown)
  const move = await connection.first(unfinishedMove, [])
  if (move !== undefined) throw new StoreUnavailable(unfinishedText(move[0]))
  const { growing } = await tablesOf(connection)
  const left = await notDistributed(connection, growing)
  const pieces = left.length === growing.length ? null : await piecesOf(connection)
  if (pieces !== null && shards !== null && shards !== pieces) {
    throw new StoreUnavailable(
      `${shown} has tables in ${pieces} pieces, which cannot change; omit --shards`,
    )
  }
  if (left.length > 0) await keepDistribution(connection, 'unfinished')
  if (left.includes('receipt_routes')) await makeRoutes(connection)
  for (const [at, table] of left.entries()) {
    report({ table, done: growing.length - left.length + at, all: growing.length })
    await inTransaction(connection, () =>
      distributeTable(connection, table, pieces ?? shards ?? usualShards),
    )
  }
  for (const table of left) await connection.run(`analyze ${table}`, [])
  report({ table: '', done: growing.length, all: growing.length })
  await keepDistribution(connection, 'complete')
}

/** Writes the routes of the receipts that are expected already. */
async function makeRoutes(connection: SqlConnection): Promise<void> {
  let after: readonly SqlValue[] = ['', '']
  for (;;) {
    const rows = await connection.all(expected, [...after, routesTogether])
    await inTransaction(connection, async () => {
      for (const [carrier, id, account, expiresAt] of rows) {
        const part = { carrier: textIn(carrier), carrierMessageId: textIn(id) }
        const owner = { account: accountId(textIn(account)), expiresAt: numberIn(expiresAt) }
        await writeRoute(connection, { ...part, ...owner }, false)
      }
    })
    const last = rows.at(-1)
    if (last === undefined || rows.length < routesTogether) return
    after = [textIn(last[0]), textIn(last[1])]
  }
}

const routesTogether = 1000

const expected = `
  select carrier, carrier_message_id, account, expires_at from receipts
  where (carrier, carrier_message_id) > (?, ?) order by carrier, carrier_message_id limit ?`

/** Returns the distributed tables, and how evenly the workers share them. */
export async function distributionOf({ connection }: StoreEnd): Promise<DistributionReport> {
  const state = await readDistribution(connection)
  const { growing, others } = await tablesOf(connection)
  const isCitus = (await extensionVersion(connection)) !== null
  const left = isCitus ? await notDistributed(connection, growing) : growing
  const distributed = growing.filter((table) => !left.includes(table))
  const isAny = distributed.length > 0
  const workers = isAny ? await sharesOfWorkers(connection) : []
  const pieces = isAny ? await piecesOf(connection) : 0
  return { state, distributed, pieces, others: [...others, ...left], workers }
}

/** Returns the tables of the store, those of collections that were declared once included. */
async function tablesOf(
  connection: SqlConnection,
): Promise<{ readonly growing: readonly string[]; readonly others: readonly string[] }> {
  const kept = await readKept(connection)
  const tables = [...kept.values()].map(({ declared }) => tableOf(declared, postgresDialect, null))
  const growing = growingTables(tables)
  const others = tables.map(({ sql }) => sql).filter((sql) => !growing.includes(sql))
  return { growing, others }
}

/** Returns in how many pieces the distributed tables are cut: all in the same number. */
async function piecesOf(connection: SqlConnection): Promise<number> {
  const row = await connection.first(pieces, [])
  return numberIn(row?.[0] ?? 0)
}

/** Returns what each worker holds, by its name. */
async function sharesOfWorkers(connection: SqlConnection): Promise<readonly WorkerShare[]> {
  const sizes = new Map((await connection.all(bytes, [])).map(([name, size]) => [name, size]))
  const rows = new Map((await connection.all(messages, [])).map(([name, count]) => [name, count]))
  return (await connection.all(cells, [])).map(([name, count]) => ({
    worker: textIn(name),
    isReached: rows.get(name ?? null) !== null,
    cells: numberIn(count),
    messages: numberIn(rows.get(name ?? null) ?? 0),
    bytes: numberIn(sizes.get(name ?? null) ?? 0),
  }))
}

const cells = `
  select n.nodename || ':' || n.nodeport as worker, count(c.cell)
  from pg_dist_node n left join (
    select cell, p.groupid from generate_series(0, 255) as cell, pg_dist_placement p
    where p.shardid = get_shard_id_for_distribution_column('submissions', cell::smallint)) c
    on c.groupid = n.groupid
  where n.noderole = 'primary' and n.shouldhaveshards group by 1 order by 1`
const bytes = `
  select nodename || ':' || nodeport, sum(shard_size)::bigint from citus_shards
  where citus_table_type = 'distributed' group by 1`
const pieces = `select max(shard_count) from citus_tables where citus_table_type = 'distributed'`
/** Workers count side by side. Null is the count of one that does not respond: its result is the error. */
const messages = `
  select nodename || ':' || nodeport,
    case when bool_and(success) then sum(case when success then result::bigint end)::bigint end
  from run_command_on_placements('"c/messages"', 'select count(*) from %s') group by 1`
