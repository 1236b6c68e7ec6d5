import { StoreUnavailable } from '../../../core/ports/store.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { numberIn, textIn } from '../../sql/rows/row.ts'

/** The oldest version of Citus whose statements are enough. */
const oldestMajor = 12

/** Throws `StoreUnavailable`, with the cure, where the server does not coordinate a cluster that can hold the store. */
export async function checkCluster(connection: SqlConnection, shown: string): Promise<void> {
  const version = await extensionVersion(connection)
  if (version === null) {
    refuse(shown, 'has no extension citus; run "create extension citus" there and on each worker')
  }
  if (Number.parseInt(version, 10) < oldestMajor) {
    refuse(shown, `has Citus ${version}; ${oldestMajor} or newer is needed`)
  }
  const workers = await connection.first(countWorkers, [])
  if (numberIn(workers?.[0]) === 0) {
    refuse(shown, 'knows no worker that holds shards; add one with citus_add_node')
  }
  const mute = await connection.all(muteNodes, [])
  if (mute.length > 0) {
    const [from, to] = mute[0] ?? []
    refuse(
      shown,
      `has nodes that do not reach each other, such as ${textIn(from)} and ${textIn(to)}`,
    )
  }
  const unprepared = await connection.all(withoutPreparing, [])
  if (unprepared.length > 0) {
    refuse(shown, `has a worker with max_prepared_transactions = 0: ${textIn(unprepared[0]?.[0])}`)
  }
}

/** Returns the version of the extension; null if the database does not have it. */
export async function extensionVersion(connection: SqlConnection): Promise<string | null> {
  const row = await connection.first(
    "select extversion from pg_extension where extname = 'citus'",
    [],
  )
  return row === undefined ? null : textIn(row[0])
}

function refuse(shown: string, why: string): never {
  throw new StoreUnavailable(`${shown} ${why}`)
}

const countWorkers = `
  select count(*) from pg_dist_node
  where noderole = 'primary' and isactive and shouldhaveshards and groupid <> 0`
const muteNodes = `
  select from_nodename || ':' || from_nodeport, to_nodename || ':' || to_nodeport
  from citus_check_cluster_node_health() where result is not true`
const withoutPreparing = `
  select nodename || ':' || nodeport
  from run_command_on_workers('show max_prepared_transactions') where success and result = '0'`
