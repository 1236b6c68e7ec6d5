import type { WorkerShare } from '../../../core/ports/distribution.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'

/** Returns what each worker holds, by its name. */
export async function sharesOfWorkers(connection: SqlConnection): Promise<readonly WorkerShare[]> {
  const sizes = new Map((await connection.all(bytes, [])).map(([name, size]) => [name, size]))
  const rows = new Map((await connection.all(messages, [])).map(([name, count]) => [name, count]))
  return (await connection.all(cells, [])).map(([name, count]) => ({
    worker: textIn(name),
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
/** Workers count side by side. */
const messages = `
  select nodename || ':' || nodeport, sum(result::bigint)::bigint
  from run_command_on_placements('"c/messages"', 'select count(*) from %s') group by 1`
