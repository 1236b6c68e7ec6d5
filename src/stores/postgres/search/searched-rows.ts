import type { AccountId } from '../../../core/account.ts'
import type { SearchedRows } from '../../sql/dialect.ts'
import { allOf, join, parameter, plain } from '../../sql/fragment.ts'
import type { Table } from '../../sql/tables/table.ts'
import { hasTextIndex } from './search-tables.ts'
import { tokensAsked } from './search-tokens.ts'

/** So many tokens of each chunk are looked through, those that the fewest rows have. */
const rarest = 3

/**
 * Places of rows among which are all of the account that contain the words: those that have the rarest
 * tokens of each chunk that has all tokens, and those in no chunk yet that contain the words.
 */
export function searchedPlaces(
  table: Table,
  account: AccountId,
  words: readonly string[],
): SearchedRows | null {
  const tokens = tokensAsked(words)
  if (tokens.length === 0 || !hasTextIndex(table)) return null
  const whose = parameter(account)
  const own = join`account = ${whose} and collection = ${parameter(table.qualifiedName)}`
  const asked = parameter(textArray(tokens))
  const contains = words.map((word) => join`strpos(search, ${parameter(word)}) > 0`)
  const upto = join`select coalesce(max(upto), 0) from search_accounts where ${own}`
  // Written as one comparison it is looked for where both stand in an index, and not by places over all accounts.
  const places = join`
    select chunks.first + found.step as place
    from (select chunk, first from search_chunks where ${own}) as chunks
    cross join lateral (
      select step from (
        select steps from (
          select steps, size, count(*) over () as present from search_tokens
          where account = ${whose} and chunk = chunks.chunk and token = any(${asked}::text[])
        ) as lists
        where present = ${parameter(tokens.length)} order by size limit ${plain(String(rarest))}
      ) as rarest
      cross join unnest(rarest.steps) as step
      group by step having count(*) = ${parameter(Math.min(rarest, tokens.length))}
    ) as found
    union all
    (select place from ${plain(table.sql)}
    where account <= ${whose} and (account, place) > (${whose}, (${upto})) and ${allOf(contains)}
    order by account, place)`
  return { places, stepwise: true }
}

/** An array as PostgreSQL writes it. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map((text) => `"${text.replace(/["\\]/g, '\\$&')}"`).join(',')}}`
}
