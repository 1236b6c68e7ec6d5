import type { Instant } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import { type Collection, qualifiedName } from '../../../core/declaration/collection.ts'
import { firstIdAt } from '../../../core/id.ts'
import { holdersOf, lockBriefly } from '../connection/lock-briefly.ts'
import { keepHeads } from '../log/append-log.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import { identifier, quoted, shortened } from '../../sql/tables/identifier.ts'
import { textIn } from '../../sql/rows/row.ts'
import { tableNamesOf } from '../../sql/tables/table.ts'

/** A table partitioned by day. Whole partitions are dropped. */
export interface PartedTable {
  /** The table's SQL identifier. */
  readonly sql: string
  /** The column with the time. */
  readonly column: string
  /** The part for rows of no day. */
  readonly rest: string
  /** The name of the part that ends with a day, counted since 1970; names are in the order of time. */
  partOf(day: number): string
  /** The statement that keeps what must outlive a part, if there is any. */
  keepBefore?(part: string): string
  /** It has no key by which another server could find the row of a deletion. */
  readonly isKeyless?: boolean
  /** The first value of a day in the column, as a SQL literal. */
  begin(day: number): string
}

const dayMs = 86_400_000

/** Partitions exist for these days ahead: their creation may fail for a week. */
const daysAhead = 8

/** The notification log, by the time of its entries. */
export const partedLog: PartedTable = {
  sql: 'log',
  column: 'at',
  rest: 'log_rest',
  partOf: (day) => `log_${numbered(day)}`,
  keepBefore: keepHeads,
  isKeyless: true,
  begin: (day) => String(day * dayMs),
}

/** The table of a collection whose instances pass, by their identifiers: those grow with time. */
export function partedCollection(collection: Collection): PartedTable {
  const name = identifier(`t/${qualifiedName(collection)}`)
  return {
    sql: tableNamesOf(collection).sql,
    column: 'id',
    rest: quoted(shortened(`${name}/rest`)),
    partOf: (day) => quoted(shortened(`${name}/${numbered(day)}`)),
    begin: (day) => `'${firstIdAt(collection.noun, day * dayMs)}'`,
  }
}

/** Returns the statement that lets a table without key be moved to another server while it is written. */
export function identify(table: string): string {
  return `alter table ${table} replica identity full`
}

/** The day that a time is in. */
export function dayOf(at: Instant): number {
  return Math.floor(at / dayMs)
}

/** Dependencies of partition changes. The connection is in no transaction. */
export interface PartitionWork {
  readonly connection: SqlConnection
  readonly log: Log
}

/** Makes the parts of the days from `now` on that there are not yet. */
export async function makeParts(
  { connection, log }: PartitionWork,
  parted: PartedTable,
  now: Instant,
): Promise<void> {
  const { sql, column, rest, partOf, begin } = parted
  const present = await partsOf(connection, parted)
  if (present === null) return
  const today = dayOf(now)
  for (let day = today; day <= today + daysAhead; day += 1) {
    const name = partOf(day)
    if (present.includes(name)) continue
    const range = `${column} >= ${begin(day)} and ${column} < ${begin(day + 1)}`
    // What went into the rest before stays there until its time is over, and the day with it.
    if (
      (await connection.first(`select 1 from ${rest} where ${range} limit 1`, [])) !== undefined
    ) {
      continue
    }
    const values = `from (${begin(day)}) to (${begin(day + 1)})`
    // A table that is attached, not made as a part, leaves those alone who read and write the others.
    const isMade = await lockBriefly(connection, async () => {
      await connection.run(`create table ${name} (like ${sql} including defaults)`, [])
      if (parted.isKeyless === true) await connection.run(identify(name), [])
      await connection.run(`alter table ${sql} attach partition ${name} for values ${values}`, [])
    })
    if (!isMade) return reportHeld(connection, log, 'partition not made', rest)
  }
}

/**
 * Drops the partitions whose last row is older than `before`. Returns true if no such rows remain; false if
 * the rest may contain some, or the table has no partitions.
 */
export async function dropParts(
  { connection, log }: PartitionWork,
  parted: PartedTable,
  before: Instant,
): Promise<boolean> {
  const present = await partsOf(connection, parted)
  if (present === null) return false
  const last = parted.partOf(dayOf(before))
  for (const name of present) {
    if (name === parted.rest || name >= last) continue
    const keep = parted.keepBefore?.(name)
    if (keep !== undefined) await connection.run(keep, [])
    const isDropped = await lockBriefly(connection, async () => {
      await connection.run(`drop table ${name}`, [])
    })
    if (!isDropped) await reportHeld(connection, log, 'partition not dropped', name)
  }
  const left = await connection.first(`select 1 from ${parted.rest} limit 1`, [])
  return left === undefined
}

/** Logs that others hold a table. The next run tries again. */
async function reportHeld(
  connection: SqlConnection,
  log: Log,
  event: string,
  table: string,
): Promise<void> {
  log('warn', event, { table, heldBy: await holdersOf(connection, table) })
}

/** Removes the days that are over, and makes those to come. Returns what `dropParts` does. */
export async function renewParts(
  work: PartitionWork,
  parted: PartedTable,
  before: Instant,
  now: Instant,
): Promise<boolean> {
  const isGone = await dropParts(work, parted, before)
  await makeParts(work, parted, now)
  return isGone
}

/** Returns the SQL identifiers of a table's partitions; null if the table is not partitioned. */
export async function partsOf(
  connection: SqlConnection,
  { sql }: Pick<PartedTable, 'sql'>,
): Promise<readonly string[] | null> {
  const kind = await connection.first(
    'select relkind::text from pg_class where oid = to_regclass(?)',
    [sql],
  )
  if (kind?.[0] !== 'p') return null
  const rows = await connection.all(
    `select inhrelid::regclass::text from pg_inherits where inhparent = to_regclass(?) order by 1`,
    [sql],
  )
  return rows.map(([name]) => textIn(name))
}

/** Six digits are enough for the next two thousand years. */
function numbered(day: number): string {
  return String(day).padStart(6, '0')
}
