import type { MaybePromise } from '../../../core/maybe-promise.ts'
import type { SqlConnection, Row } from '../../sql/connection.ts'
import { nextTurn } from '../../sql/queues/next-turn.ts'
import { numberIn, textIn, textOrNullIn } from '../../sql/rows/row.ts'
import type { Table } from '../../sql/tables/table.ts'
import { textArray } from './searched-rows.ts'
import { tokensOf } from './search-tokens.ts'

/** A stretch of the rows of an account, by their places. */
export interface ChunkRange {
  readonly account: string
  /** Behind this. */
  readonly after: number
  readonly upTo: number
  /** No more rows than this. */
  readonly rows: number
}

/** What a chunk became of. */
export interface Chunked {
  readonly rows: number
  readonly last: number
}

/** A chunk of long texts ends early: so many characters take some tenths of a second. */
const charactersMax = 1_000_000
/** Steps are counted from the first place of a chunk, as integers of 32 bits. */
const stepMax = 2 ** 31 - 1
/** Others have their turn after so many texts, or tokens. */
const inOneTurn = 200
/** So many tokens go out in one statement. */
const tokensAtOnce = 1000

/** Makes a chunk of the next rows of an account. Null where there are fewer than a chunk takes. */
export async function makeChunk(
  connection: SqlConnection,
  table: Table,
  stretch: ChunkRange,
): Promise<Chunked | null> {
  const rows = await textsIn(connection, table, stretch)
  const taken = rows.slice(0, fitting(rows))
  const [first, last] = [taken[0], taken.at(-1)]
  if (first === undefined || last === undefined) return null
  if (taken.length === rows.length && rows.length < stretch.rows) return null
  const [begin, end] = [numberIn(first[0]), numberIn(last[0])]
  const made = await connection.first(
    `insert into search_chunks (account, collection, first, last) values (?, ?, ?, ?)
      returning chunk`,
    [stretch.account, table.qualifiedName, begin, end],
  )
  await keepTokens(connection, stretch.account, numberIn(made?.[0]), begin, taken)
  return { rows: taken.length, last: end }
}

/** A chunk in which rows are no more, by their steps. */
export interface Torn {
  readonly account: string
  readonly chunk: number
  readonly first: number
  readonly last: number
  readonly steps: readonly number[]
}

/** Up to so many rows are taken out of each list; of more, the chunk is made anew. */
const takenOutMax = 50

/** Takes what is gone out of a chunk. */
export async function mendChunk(
  connection: SqlConnection,
  table: Table,
  torn: Torn,
): Promise<void> {
  const { account, chunk, first, last, steps } = torn
  if (steps.length <= takenOutMax) {
    const gone = `{${steps.join(',')}}`
    await connection.run(takeOut, [gone, account, chunk, gone])
    await connection.run(dropEmpty, [account, chunk])
  } else {
    await connection.run('delete from search_tokens where account = ? and chunk = ?', [
      account,
      chunk,
    ])
    const stretch = { account, after: first - 1, upTo: last, rows: last - first + 1 }
    await keepTokens(connection, account, chunk, first, await textsIn(connection, table, stretch))
  }
  await connection.run(dropChunk, [account, table.qualifiedName, chunk, account, chunk])
}

const takeOut = `
  update search_tokens as kept set steps = remaining.steps, size = cardinality(remaining.steps)
  from search_tokens as before cross join lateral (
    select array(select step from unnest(before.steps) as step where step <> all(?::integer[])
      order by step) as steps) as remaining
  where before.account = ? and before.chunk = ? and before.steps && ?::integer[]
    and kept.account = before.account and kept.chunk = before.chunk and kept.token = before.token`
const dropEmpty = 'delete from search_tokens where account = ? and chunk = ? and size = 0'
const dropChunk = `
  delete from search_chunks where account = ? and collection = ? and chunk = ?
    and not exists (select 1 from search_tokens where account = ? and chunk = ?)`

function textsIn(
  connection: SqlConnection,
  table: Table,
  stretch: ChunkRange,
): MaybePromise<readonly Row[]> {
  const { account, after, upTo, rows } = stretch
  return connection.all(
    `select place, search from ${table.sql} where account = ? and place > ? and place <= ?
      order by place limit ?`,
    [account, after, upTo, rows],
  )
}

/** How many of the first rows a chunk can have. */
function fitting(rows: readonly Row[]): number {
  const begin = numberIn(rows[0]?.[0] ?? 0)
  let characters = 0
  for (const [index, [place, text]] of rows.entries()) {
    characters += textOrNullIn(text ?? null)?.length ?? 0
    const isTooMuch = characters > charactersMax || numberIn(place) - begin > stepMax
    if (isTooMuch && index > 0) return index
  }
  return rows.length
}

async function keepTokens(
  connection: SqlConnection,
  account: string,
  chunk: number,
  first: number,
  rows: readonly Row[],
): Promise<void> {
  const lists = [...(await listsOf(first, rows))]
  for (let index = 0; index < lists.length; index += tokensAtOnce) {
    const some = lists.slice(index, index + tokensAtOnce)
    await connection.run(insertTokens, [
      account,
      chunk,
      textArray(some.map(([token]) => token)),
      `{${some.map(([, steps]) => steps.length).join(',')}}`,
      textArray(some.map(([, steps]) => `{${steps.join(',')}}`)),
    ])
    await nextTurn()
  }
}

const insertTokens = `
  insert into search_tokens (account, chunk, token, size, steps)
  select ?::text, ?::bigint, token, size, steps::integer[]
  from unnest(?::text[], ?::bigint[], ?::text[]) as lists (token, size, steps)`

/** For each token the rows that have it, by their steps from the first place. */
async function listsOf(
  first: number,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, readonly number[]>> {
  const lists = new Map<string, number[]>()
  for (const [index, [place, text]] of rows.entries()) {
    const step = numberIn(place) - first
    for (const token of tokensOf(text === null ? '' : textIn(text))) {
      const list = lists.get(token)
      if (list === undefined) lists.set(token, [step])
      else list.push(step)
    }
    if (index % inOneTurn === inOneTurn - 1) await nextTurn()
  }
  return lists
}
