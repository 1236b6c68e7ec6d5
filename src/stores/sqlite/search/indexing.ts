import type { Clock } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import { type Indexing, indexing, type IndexingParts } from '../../sql/tables/indexing.ts'
import type { Table } from '../../sql/tables/table.ts'
import type { SqliteGroupCommit } from '../commits/group-commit.ts'
import { indexSlice, isSearched } from './search-index.ts'

/** How long it rests between two slices: shared among the rows of a slice a commit costs little. */
const restMs = 50
/** How long while far behind: other works come in between. */
const restBehindMs = 5
/** After so many full slices in a row it is far behind. */
const fullSlices = 8
/** How long after a failure, such as a full disk. */
const restFailedMs = 5000

/**
 * Puts rows into the search indexes some time after they were written, many at a time: that costs a
 * third of doing it with each commit, and no writer waits for it. Until then a search reads them.
 */
export function startIndexing(
  tables: readonly Table[],
  writes: SqliteGroupCommit,
  clock: Clock,
  log: Log,
): Indexing {
  const next = slices(writes, log)
  return indexing({ tables: tables.filter(isSearched), clock, firstMs: 0, restMs, next })
}

/** Takes the next slice of the tables that are due, and tells how long to rest then. */
function slices(writes: SqliteGroupCommit, log: Log): IndexingParts['next'] {
  let full = 0
  return async (due) => {
    const [table] = due
    if (table === undefined) return restMs
    due.delete(table)
    try {
      const more = await writes.run((connection) => indexSlice(connection, table))
      if (more) due.add(table)
      full = more ? full + 1 : 0
      return full < fullSlices ? restMs : restBehindMs
    } catch (error) {
      due.add(table)
      log('error', 'search indexing failed', { error, collection: table.qualifiedName })
      return restFailedMs
    }
  }
}
