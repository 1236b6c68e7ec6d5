import type { Clock } from '../../../core/ports/clock.ts'
import type { Log } from '../../../core/ports/log.ts'
import { type Indexing, indexing, type IndexingParts } from '../../sql/tables/indexing.ts'
import type { Table } from '../../sql/tables/table.ts'
import { hasTextIndex } from './search-tables.ts'
import { type Fence, type Left, searchRound } from './search-round.ts'
import type { Transactions } from '../connection/transactions.ts'

/** What it works with. */
export interface SearchIndexingParts {
  readonly writes: Transactions
  readonly clock: Clock
  readonly log: Log
  /** So many rows of an account make a chunk. */
  readonly rowsInChunk: number
}

/**
 * A search reads the rows of an account that are in no chunk, each in half a microsecond, and of each
 * chunk a few lists, in some fifty.
 */
export const usualRowsInChunk = 4096

/** How long it rests after a commit, so that one round sees to many. */
const restMs = 1000
/** How long while there is more to do: other works come in between. */
const restBehindMs = 5
/** How long after a failure, such as a server that is away. */
const restFailedMs = 5000

/**
 * Puts rows into the index of texts some time after they were written, many at a time: no writer waits
 * for it, and it costs a fraction of an index that is kept with every row. Every node does so after it
 * wrote; one at a time is at work.
 */
export function startSearchIndexing(
  tables: readonly Table[],
  parts: SearchIndexingParts,
): Indexing {
  const indexed = tables.filter(hasTextIndex)
  const { clock } = parts
  return indexing({ tables: indexed, clock, firstMs: restMs, restMs, next: rounds(parts) })
}

/** Does a round for each table that is due, and tells how long to rest then. */
function rounds({ writes, log, rowsInChunk }: SearchIndexingParts): IndexingParts['next'] {
  const fences = new Map<Table, Fence | null>()
  const one = async (table: Table): Promise<Left['due']> => {
    const fence = fences.get(table) ?? null
    const left = await writes.write((connection) =>
      searchRound(connection, table, rowsInChunk, fence),
    )
    fences.set(table, left.fence)
    return left.due
  }
  return async (due, isStopped) => {
    let rest = restMs
    const all = [...due]
    due.clear()
    for (const table of all) {
      if (isStopped()) break
      try {
        const left = await one(table)
        if (left !== 'NEVER') due.add(table)
        if (left === 'NOW') rest = restBehindMs
      } catch (error) {
        for (const each of all) due.add(each)
        fences.clear()
        if (!isStopped()) log('warn', 'search indexing failed', { error, collection: table.name })
        return restFailedMs
      }
    }
    return rest
  }
}
