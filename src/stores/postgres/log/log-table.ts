import type { SqlConnection } from '../../sql/connection.ts'
import { numberIn } from '../../sql/rows/row.ts'
import { ownTransaction } from './stored-log-position.ts'
import { partedLog } from '../schema/partitions.ts'

/** The statements that make the notification log, in parts by day, each of which is dropped whole. */
export const logTable: readonly string[] = [
  'create sequence if not exists log_place',
  `create table if not exists log (
    xid bigint not null, place bigint not null default nextval('log_place'),
    account text not null, at bigint not null, type text not null, status text not null,
    message text not null, record text not null) partition by range (at)`,
  'create index if not exists log_account on log (account, xid, place, type, status)',
  'create index if not exists log_order on log (xid, place)',
  `create table if not exists ${partedLog.rest} partition of log default`,
]

/**
 * What is added to the number of a transaction so that the log goes on where it ended. It is zero
 * until the log is restored into another server, which counts anew.
 */
export async function logOffset(connection: SqlConnection): Promise<number> {
  const row = await connection.first(
    `select coalesce((select value::bigint from meta where name = 'log_offset'), 0),
      coalesce((select max(xid) from log), 0), pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
      exists (select 1 from meta where name = 'log_offset')`,
    [],
  )
  const [offset, last, next] = (row ?? []).slice(0, 3).map(numberIn)
  if (offset === undefined || last === undefined || next === undefined) return 0
  const wanted = last < next + offset ? offset : last + 1
  // To set it again would lock the log, for nothing.
  if (row?.[3] === true && wanted === offset) return wanted
  await connection.run(`alter table log alter column xid set default ${ownTransaction(wanted)}`, [])
  // Behind the default, so that what is cut off between them is done again.
  await connection.run(
    `insert into meta (name, value) values ('log_offset', ?)
      on conflict (name) do update set value = excluded.value`,
    [String(wanted)],
  )
  return wanted
}
