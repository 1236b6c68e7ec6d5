import type { Clock } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { Dialect } from '../../sql/dialect.ts'
import { identifier, quoted, shortened } from '../../sql/tables/identifier.ts'
import { numberIn } from '../../sql/rows/row.ts'
import { tableDefinition } from '../../sql/tables/fixed-tables.ts'
import type { Table } from '../../sql/tables/table.ts'
import { inTransaction } from '../connection/in-transaction.ts'
import { dayOf, partedCollection, partsOf } from './partitions.ts'
import { patiently } from '../connection/retry-transient.ts'

/** Whether the rows of a table stand in parts by day, where it is made anew. */
export function isPartitioned({ collection }: Table): boolean {
  return collection.passing === true
}

/** The statements that make the table of a collection whose instances pass. */
export function partedDefinition(dialect: Dialect, table: Table): readonly string[] {
  const { rest } = partedCollection(table.collection)
  const places = placesOf(table)
  // Before version 17 no table with parts counts by itself.
  const rowPlace = `bigint not null default nextval('${places.replaceAll("'", "''")}')`
  return [
    `create sequence if not exists ${places}`,
    `${tableDefinition({ ...dialect, rowPlace }, table)} partition by range (id)`,
    `create table if not exists ${rest} partition of ${table.sql} default`,
  ]
}

/** What converting a table works with. The connection is in no transaction. */
interface Converting {
  readonly connection: SqlConnection
  readonly define: (statement: string) => string
  readonly dialect: Dialect
  readonly clock: Clock
  readonly log: Log
}

/**
 * Makes the table of an earlier version the first part of one that has parts. Nodes that have it open
 * go on: what takes long takes no lock that they would notice. Nothing is done where it has parts.
 */
export async function convertToParts(work: Converting, table: Table): Promise<void> {
  const { connection, clock, log } = work
  if ((await partsOf(connection, table)) !== null) return
  const parted = partedCollection(table.collection)
  const lastDay = dayOf(clock.now()) + 1
  const end = parted.begin(lastDay + 1)
  await connection.run(`alter table ${table.sql} drop constraint if exists passing`, [])
  await connection.run(
    `alter table ${table.sql} add constraint passing check (id is not null and id < ${end}) not valid`,
    [],
  )
  try {
    await connection.run(`alter table ${table.sql} validate constraint passing`, [])
  } catch (error) {
    await connection.run(`alter table ${table.sql} drop constraint if exists passing`, [])
    log('warn', 'table is left without parts', { collection: table.qualifiedName, error })
    return
  }
  const [first, name] = [parted.partUpTo(lastDay), table.name]
  const change = () =>
    inTransaction(connection, async () => {
      await connection.run(`alter table ${table.sql} rename to ${first}`, [])
      await connection.run(`alter table ${first} alter column place drop identity if exists`, [])
      const row = await connection.first(`select coalesce(max(place), 0) from ${first}`, [])
      // Indexes have names of the whole schema.
      await connection.run(
        `alter index if exists ${quoted(`p/${name}`)} rename to ${quoted(`p/${name}/1`)}`,
        [],
      )
      for (const text of partedDefinition(work.dialect, table)) {
        await connection.run(work.define(text), [])
      }
      await connection.run('select setval(?, ?)', [placesOf(table), numberIn(row?.[0] ?? 0) + 1])
      await connection.run(
        `alter table ${table.sql} attach partition ${first} for values from (minvalue) to (${end})`,
        [],
      )
      await connection.run(`alter table ${first} drop constraint passing`, [])
    })
  await patiently(connection, change)
}

function placesOf({ name }: Table): string {
  return quoted(shortened(identifier(`q/${name}`)))
}
