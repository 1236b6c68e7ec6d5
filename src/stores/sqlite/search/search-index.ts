import type { DatabaseSync } from 'node:sqlite'
import type { AccountId } from '../../../core/account.ts'
import type { SqlConnection } from '../../sql/connection.ts'
import type { SearchedRows } from '../../sql/dialect.ts'
import { allOf, join, parameter, plain } from '../../sql/fragment.ts'
import { identifier, quoted } from '../../sql/tables/identifier.ts'
import { numberIn } from '../../sql/rows/row.ts'
import type { Table } from '../../sql/tables/table.ts'
import { searchMatch, searchTokens, searchTokensVersion } from './search-tokens.ts'

/**
 * Places of rows among which are all of the account that contain the words: what the index has,
 * and those of the rows it does not have yet that contain them.
 */
export function searchedPlaces(
  table: Table,
  account: AccountId,
  words: readonly string[],
): SearchedRows | null {
  const asked = searchMatch(account, words)
  if (asked === null || !isSearched(table)) return null
  const contains = words.map((word) => join`instr(search, ${parameter(word)}) > 0`)
  const holds = allOf([join`+account = ${parameter(account)}`, ...contains])
  const { index, name } = namesOf(table)
  const places = join`
    select rowid as place from ${plain(index)} where ${plain(index)} match ${parameter(asked.match)}
    union all
    select place from ${plain(table.sql)}
    where place > (select place from indexed where name = ${parameter(name)}) and ${holds}`
  return { places, stepwise: asked.stepwise }
}

/** Whether the instances of a table can be searched. */
export function isSearched(table: Table): boolean {
  return table.collection.searchedBy.length > 0
}

/** Gives a connection the function that the index is made with. */
export function defineSearchTokens(database: DatabaseSync): void {
  database.function('search_tokens', { deterministic: true }, (account, text) =>
    typeof text === 'string' ? searchTokens(String(account), text) : '',
  )
}

/** Makes the table that says how far each index is. */
export function makeIndexState(database: DatabaseSync): void {
  database.exec(`create table if not exists indexed
    (name text primary key, version integer not null, place integer not null) without rowid`)
}

/**
 * Makes the index of a table where it has none, or none of this version. Rows are put into it in
 * slices by and by (`indexSlice`); those that are in it are kept in step by triggers.
 */
export function makeSearchIndex(database: DatabaseSync, table: Table): void {
  const { index, name } = namesOf(table)
  const state = database.prepare('select version from indexed where name = ?').get(name)
  if (isSearched(table) && state?.['version'] === searchTokensVersion) return
  if (state !== undefined) dropSearchIndex(database, table)
  if (!isSearched(table)) return

  database.exec(`create virtual table ${index} using fts5
    (tokens, content = '', columnsize = 0, detail = none, tokenize = "${tokenizer}")`)
  for (const trigger of triggersOf(table)) database.exec(trigger)
  database
    .prepare('insert into indexed (name, version, place) values (?, ?, 0)')
    .run(name, searchTokensVersion)
}

/** Removes the index of a table. */
export function dropSearchIndex(database: DatabaseSync, table: Table): void {
  const { index, name, removed, lowered, changed } = namesOf(table)
  for (const trigger of [removed, lowered, changed]) {
    database.exec(`drop trigger if exists ${trigger}`)
  }
  database.exec(`drop table if exists ${index}`)
  database.prepare('delete from indexed where name = ?').run(name)
}

/** Puts the next rows into the index, within a transaction; false where all are in it. */
export async function indexSlice(connection: SqlConnection, table: Table): Promise<boolean> {
  const { index, name } = namesOf(table)
  const state = await connection.first('select place from indexed where name = ?', [name])
  if (state === undefined) return false
  const from = numberIn(state[0])
  const next = await connection.all(
    `select place, length(search) from ${table.sql} where place > ? order by place limit ?`,
    [from, sliceRows],
  )
  const to = endOfSlice(next)
  if (to === null) return false
  await connection.run(
    `insert into ${index} (rowid, tokens) select place, search_tokens(account, search)
     from ${table.sql} where place > ? and place <= ? order by place`,
    [from, to],
  )
  await connection.run('update indexed set place = ? where name = ?', [to, name])
  return next.length === sliceRows || numberIn(next.at(-1)?.[0]) > to
}

/** A slice takes some milliseconds, for which everything else waits: so many rows, so many characters. */
const sliceRows = 256
const sliceCharacters = 40_000

function endOfSlice(rows: readonly (readonly unknown[])[]): number | null {
  let characters = 0
  let end: number | null = null
  for (const [place, length] of rows) {
    characters += length === null ? 0 : numberIn(length)
    if (end !== null && characters > sliceCharacters) break
    end = numberIn(place)
  }
  return end
}

/** The tokens stand with spaces between, and any other character may be in one. */
const tokenizer = `ascii tokenchars '${tokenCharacters().replaceAll("'", "''").replaceAll('"', '""')}'`

function tokenCharacters(): string {
  const ascii = Array.from({ length: 0x7f }, (_, index) => String.fromCharCode(index + 1))
  return ascii.filter((character) => !/[\sA-Za-z0-9]/.test(character)).join('')
}

interface Names {
  readonly name: string
  /** As they stand in SQL. */
  readonly index: string
  readonly removed: string
  readonly lowered: string
  readonly changed: string
}

function namesOf(table: Table): Names {
  const name = identifier(`s/${table.qualifiedName}`)
  return {
    name,
    index: quoted(name),
    removed: quoted(`${name} removed`),
    lowered: quoted(`${name} lowered`),
    changed: quoted(`${name} changed`),
  }
}

/**
 * A row that is not in the index yet needs no upkeep. The place of the last row is given again once that row is
 * removed: the index must not seem to have the next one already.
 */
function triggersOf(table: Table): readonly string[] {
  const { index, name, removed, lowered, changed } = namesOf(table)
  const literal = `'${name.replaceAll("'", "''")}'`
  const isIndexed = `old.place <= (select place from indexed where name = ${literal})`
  const take = `insert into ${index} (${index}, rowid, tokens)
    values ('delete', old.place, search_tokens(old.account, old.search))`
  const greatest = `(select coalesce(max(place), 0) from ${table.sql})`
  return [
    `create trigger ${removed} after delete on ${table.sql} when ${isIndexed} begin
      ${take};
    end`,
    `create trigger ${lowered} after delete on ${table.sql} begin
      update indexed set place = ${greatest} where name = ${literal} and place > ${greatest};
    end`,
    `create trigger ${changed} after update of search on ${table.sql}
    when old.search is not new.search and ${isIndexed} begin
      ${take};
      insert into ${index} (rowid, tokens)
      values (new.place, search_tokens(new.account, new.search));
    end`,
  ]
}
