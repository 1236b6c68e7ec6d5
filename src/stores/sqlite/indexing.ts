import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Commit } from '../../core/store.ts'
import type { Table } from '../sql/table.ts'
import type { GroupCommit } from './group-commit.ts'
import { indexSlice, isSearched } from './search-index.ts'

/** What keeps the search indexes up with their tables. */
export interface Indexing extends AsyncDisposable {
  /** Something was written. */
  committed(commit: Commit): void
}

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
  writes: GroupCommit,
  clock: Clock,
  log: Log,
): Indexing {
  const searched = tables.filter(isSearched)
  const due = new Set(searched)
  const next = slices(due, writes, log)
  let running: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let stopped = false

  const arm = (delayMs: number): void => {
    if (stopped || due.size === 0 || running !== null || cancel !== null) return
    cancel = clock.after(delayMs, () => {
      cancel = null
      running = next().then((rest) => {
        running = null
        arm(rest)
      })
    })
  }

  arm(0)
  return {
    committed: ({ changed }) => {
      for (const table of searched) if (changed.has(table.qualifiedName)) due.add(table)
      arm(restMs)
    },
    [Symbol.asyncDispose]: async () => {
      stopped = true
      cancel?.()
      await running
    },
  }
}

/** Takes the next slice of the tables that are due, and tells how long to rest then. */
function slices(due: Set<Table>, writes: GroupCommit, log: Log): () => Promise<number> {
  let full = 0
  return async () => {
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
