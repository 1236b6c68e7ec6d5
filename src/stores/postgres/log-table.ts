import type { Instant } from '../../core/clock.ts'
import type { Connection } from '../sql/connection.ts'
import { numberIn, textIn } from '../sql/row.ts'
import { ownTransaction } from './log-place.ts'
import { secureRows } from './row-security.ts'

const dayMs = 86_400_000

/** So many days ahead there are parts: whoever makes them may fail for a week. */
const daysAhead = 8

/** Where entries are for whose day there is no part. */
export const restPart = 'log_rest'

/** The statements that make the notification log, in parts by day, each of which is dropped whole. */
export const logTable: readonly string[] = [
  'create sequence if not exists log_place',
  `create table if not exists log (
    xid bigint not null, place bigint not null default nextval('log_place'),
    account text not null, at bigint not null, type text not null, status text not null,
    message text not null, record text not null) partition by range (at)`,
  'create index if not exists log_account on log (account, xid, place, type, status)',
  'create index if not exists log_order on log (xid, place)',
  `create table if not exists ${restPart} partition of log default`,
]

/**
 * What is added to the number of a transaction so that the log goes on where it ended. It is zero
 * until the log is restored into another server, which counts anew.
 */
export async function logOffset(connection: Connection): Promise<number> {
  const row = await connection.first(
    `select coalesce((select value::bigint from meta where name = 'log_offset'), 0),
      coalesce((select max(xid) from log), 0), pg_snapshot_xmax(pg_current_snapshot())::text::bigint`,
    [],
  )
  const [offset, last, next] = (row ?? [0, 0, 0]).map(numberIn)
  if (offset === undefined || last === undefined || next === undefined) return 0
  const wanted = last < next + offset ? offset : last + 1
  await connection.run(
    `insert into meta (name, value) values ('log_offset', ?)
      on conflict (name) do update set value = excluded.value`,
    [String(wanted)],
  )
  await connection.run(`alter table log alter column xid set default ${ownTransaction(wanted)}`, [])
  return wanted
}

/** Makes the parts of the days from `now` on that there are not yet. */
export async function makeLogParts(connection: Connection, now: Instant): Promise<void> {
  const today = Math.floor(now / dayMs)
  const present = new Set(await logParts(connection))
  for (let day = today; day <= today + daysAhead; day += 1) {
    const name = partOf(day)
    if (present.has(name)) continue
    const isBlocked = await connection.first(
      `select 1 from ${restPart} where at >= ? and at < ? limit 1`,
      [day * dayMs, (day + 1) * dayMs],
    )
    // What went into the rest before stays there until its time is over, and the day with it.
    if (isBlocked !== undefined) continue
    const range = `from (${day * dayMs}) to (${(day + 1) * dayMs})`
    await connection.run(
      `create table if not exists ${name} partition of log for values ${range}`,
      [],
    )
    await secureRows(connection, name)
  }
}

/** The parts whose last entry is older than `before`. */
export async function oldLogParts(
  connection: Connection,
  before: Instant,
): Promise<readonly string[]> {
  const last = partOf(Math.floor(before / dayMs))
  return (await logParts(connection)).filter((name) => name !== restPart && name < last)
}

async function logParts(connection: Connection): Promise<readonly string[]> {
  const rows = await connection.all(
    `select relname::text from pg_inherits join pg_class on oid = inhrelid
      where inhparent = 'log'::regclass order by 1`,
    [],
  )
  return rows.map(([name]) => textIn(name))
}

/** Such as `log_020413`: so many days since 1970, so that names are in the order of time. */
function partOf(day: number): string {
  return `log_${String(day).padStart(6, '0')}`
}
