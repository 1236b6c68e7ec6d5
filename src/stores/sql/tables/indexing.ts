import type { Clock } from '../../../core/ports/clock.ts'
import type { Commit } from '../../../core/ports/store.ts'
import type { Table } from './table.ts'

/** What keeps indexes up with their tables. */
export interface Indexing extends AsyncDisposable {
  /** Something was written. */
  committed(commit: Pick<Commit, 'changed'>): void
}

/** How indexes are kept up. */
export interface IndexingParts {
  readonly tables: readonly Table[]
  readonly clock: Clock
  /** How long it waits at the start, and how long it rests after a commit, in milliseconds. */
  readonly firstMs: number
  readonly restMs: number
  /** Does the next piece of work on tables that are due, and tells how long to rest then; never throws. */
  readonly next: (due: Set<Table>, isStopped: () => boolean) => Promise<number>
}

/** Works on the indexes of tables some time after these were written, so that no writer waits for it. */
export function indexing({ tables, clock, firstMs, restMs, next }: IndexingParts): Indexing {
  const due = new Set(tables)
  let running: Promise<void> | null = null
  let cancel: (() => void) | null = null
  let stopped = false

  const arm = (delayMs: number): void => {
    if (stopped || due.size === 0 || running !== null || cancel !== null) return
    cancel = clock.after(delayMs, () => {
      cancel = null
      running = next(due, () => stopped).then((rest) => {
        running = null
        arm(rest)
      })
    })
  }

  arm(firstMs)
  return {
    committed: ({ changed }) => {
      for (const table of tables) if (changed.has(table.qualifiedName)) due.add(table)
      arm(restMs)
    },
    [Symbol.asyncDispose]: async () => {
      stopped = true
      cancel?.()
      await running
    },
  }
}
