import type { SqlConnection } from '../../sql/connection.ts'
import { numberIn, numberOrNullIn, textIn } from '../../sql/rows/row.ts'
import type { Table } from '../../sql/tables/table.ts'
import { makeChunk, mendChunk, type Torn } from './search-chunks.ts'
import { textArray } from './searched-rows.ts'

/** A place that was the greatest, and those who may still write rows at or before it. */
export interface Fence {
  readonly place: number
  readonly writers: readonly string[]
}

/** What a round leaves to do: something at once, something later, or nothing. */
export interface Left {
  readonly fence: Fence | null
  readonly due: 'NOW' | 'LATER' | 'NEVER'
}

/** By this number nodes know that another is at work on the index of texts: the letters `Nuns`. */
const lockNumber = 0x4e_75_6e_73

/** So many places are counted in one round. */
const countedAtOnce = 20_000
/** So many rows that are gone are seen to in one round. */
const goneAtOnce = 5000

/**
 * Does the next piece of work on the index of a table's texts, within a transaction; one node at a time
 * does. Rows come in the order of their places into chunks, and no row may come late: so rows are counted
 * up to a place only when all are over who wrote to the table when it was the greatest.
 */
export async function searchRound(
  connection: SqlConnection,
  table: Table,
  rowsInChunk: number,
  before: Fence | null,
): Promise<Left> {
  const lock = await connection.first(`select pg_try_advisory_xact_lock(${lockNumber})`, [])
  if (lock?.[0] !== true) return { fence: null, due: 'LATER' }
  const hasMended = await mend(connection, table)
  const fence = before ?? (await fenceAround(connection, table))
  const counted = await countUpTo(connection, table, fence)
  const hasMade = await makeNext(connection, table, rowsInChunk)
  if (hasMended || hasMade || counted === 'SOME') return { fence, due: 'NOW' }
  if (counted === 'WAITING') return { fence, due: 'LATER' }
  const greatest = await greatestPlace(connection, table)
  return { fence: null, due: greatest > fence.place ? 'LATER' : 'NEVER' }
}

async function greatestPlace(connection: SqlConnection, table: Table): Promise<number> {
  const row = await connection.first(
    "select pg_sequence_last_value(pg_get_serial_sequence(?, 'place')::regclass)",
    [table.sql],
  )
  return numberOrNullIn(row?.[0] ?? null) ?? 0
}

/** Whoever takes a place has locked the table before, and keeps the lock until the end. */
async function fenceAround(connection: SqlConnection, table: Table): Promise<Fence> {
  const place = await greatestPlace(connection, table)
  const rows = await connection.all(`select distinct virtualtransaction ${writersOf}`, [table.sql])
  return { place, writers: rows.map(([writer]) => textIn(writer)) }
}

const writersOf = `
  from pg_locks where locktype = 'relation' and relation = to_regclass(?)
    and database = (select oid from pg_database where datname = current_database())
    and mode in ('RowExclusiveLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')`

/** Counts the rows of each account up to a fence: some of them, or all where nobody writes there any more. */
async function countUpTo(
  connection: SqlConnection,
  table: Table,
  { place, writers }: Fence,
): Promise<'SOME' | 'ALL' | 'WAITING'> {
  const name = table.qualifiedName
  const state = await connection.first('select place from search_state where collection = ?', [
    name,
  ])
  const from = state === undefined ? 0 : numberIn(state[0])
  if (place <= from) return 'ALL'
  const writing = await connection.first(
    `select 1 ${writersOf} and virtualtransaction = any(?::text[]) limit 1`,
    [table.sql, textArray(writers)],
  )
  if (writing !== undefined) return 'WAITING'
  const to = Math.min(place, from + countedAtOnce)
  await connection.run(
    `insert into search_accounts as known (account, collection, upto, waiting)
      select account, ?::text, 0, count(*) from ${table.sql} where place > ? and place <= ?
      group by account order by account
      on conflict (account, collection) do update set waiting = known.waiting + excluded.waiting`,
    [name, from, to],
  )
  await connection.run(keepState, [name, to])
  return to < place ? 'SOME' : 'ALL'
}

const keepState = `
  insert into search_state (collection, place) values (?, ?)
  on conflict (collection) do update set place = excluded.place`

/** Makes the next chunk of an account that has the rows for one; false where none has. */
async function makeNext(connection: SqlConnection, table: Table, rows: number): Promise<boolean> {
  const name = table.qualifiedName
  const found = await connection.first(
    `select account, upto, waiting, place from search_accounts as known
      join search_state on search_state.collection = known.collection
      where known.collection = ? and waiting >= ? limit 1`,
    [name, rows],
  )
  if (found === undefined) return false
  const account = textIn(found[0])
  const [after, waiting, upTo] = found.slice(1).map(numberIn)
  const stretch = { account, after: after ?? 0, upTo: upTo ?? 0, rows }
  const made = await makeChunk(connection, table, stretch)
  // Of those that were counted some were removed since.
  const left = made === null ? 0 : Math.max((waiting ?? 0) - made.rows, 0)
  await connection.run(
    'update search_accounts set upto = ?, waiting = ? where account = ? and collection = ?',
    [made?.last ?? stretch.after, left, account, name],
  )
  return true
}

/** Takes rows that are gone out of their chunks; false where none are. */
async function mend(connection: SqlConnection, table: Table): Promise<boolean> {
  const gone = await connection.all(takeGone, [table.qualifiedName, goneAtOnce])
  if (gone.length === 0) return false
  const accounts = textArray(gone.map(([account]) => textIn(account)))
  const places = `{${gone.map(([, place]) => numberIn(place)).join(',')}}`
  const torn = await connection.all(tornBy, [accounts, places, table.qualifiedName])
  for (const [account, chunk, first, last, steps] of torn) {
    const [number, begin, end] = [numberIn(chunk), numberIn(first), numberIn(last)]
    const one: Torn = {
      account: textIn(account),
      chunk: number,
      first: begin,
      last: end,
      steps: textIn(steps).split(',').map(Number),
    }
    await mendChunk(connection, table, one)
  }
  await connection.run(
    `delete from search_accounts where collection = ? and account = any(?::text[]) and not exists
      (select 1 from ${table.sql} as kept where kept.account = search_accounts.account)`,
    [table.qualifiedName, accounts],
  )
  return true
}

const takeGone = `
  delete from search_gone where ctid = any(array(
    select ctid from search_gone where collection = ? limit ?))
  returning account, place`
const tornBy = `
  select chunks.account, chunk, first, last, string_agg((gone.place - first)::text, ',')
  from unnest(?::text[], ?::bigint[]) as gone (account, place)
  join search_chunks as chunks on chunks.collection = ? and chunks.account = gone.account
    and gone.place between first and last
  group by chunks.account, chunk, first, last order by chunks.account, chunk`
