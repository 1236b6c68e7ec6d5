import type { StoreHealth } from '../../core/ports/store-health.ts'
import { numberIn, numberOrNullIn, textIn } from '../sql/rows/row.ts'
import type { ConnectionPools } from './connection/connection-pools.ts'

/** Reports the pools of this node, and the transactions of the server. */
export function storeHealth({ use, loops }: ConnectionPools): StoreHealth {
  return {
    pools: use,
    delayingTransactions: (ageMs) =>
      loops.read(async (connection) => {
        const rows = await connection.all(delaying, [ageMs / 1000, ageMs / 1000])
        return rows.map(([pid, database, role, application, age]) => ({
          pid: numberOrNullIn(pid),
          database: textIn(database),
          role: textIn(role),
          application: textIn(application),
          ageMs: numberIn(age),
        }))
      }),
  }
}

/** A snapshot delays vacuum in its database; that of a replica, which names none, in all. */
const delaying = `
  select pid, coalesce(datname::text, ''), coalesce(usename::text, ''), coalesce(application_name, ''),
    (extract(epoch from clock_timestamp() - xact_start) * 1000)::bigint as age
  from pg_stat_activity
  where pid <> pg_backend_pid() and (backend_xmin is not null or backend_xid is not null)
    and coalesce(datname, current_database()) = current_database()
    and xact_start < clock_timestamp() - make_interval(secs => ?::float8)
  union all
  select null, database::text, owner::text, gid,
    (extract(epoch from clock_timestamp() - prepared) * 1000)::bigint
  from pg_prepared_xacts
  where database = current_database() and prepared < clock_timestamp() - make_interval(secs => ?::float8)
  order by age desc limit 20`
