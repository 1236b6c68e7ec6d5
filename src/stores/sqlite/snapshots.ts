import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { SqlConnection } from '../sql/connection.ts'
import type { SqliteConnection } from './connection.ts'

/** Reads of a snapshot: they see no commit after their beginning. */
export interface Snapshots {
  read<T>(work: (connection: SqlConnection) => MaybePromise<T>): Promise<T>
  /** Must be called just before each commit. */
  beforeCommit(): void
  close(): void
}

/** A state of the database between two commits, with its readers. */
interface View {
  readonly connection: SqliteConnection
  readers: number
  /** True if a transaction is open, which holds the state. */
  held: boolean
  /** True after the next commit: no further reader may join. */
  past: boolean
}

/** Maximum of idle connections, for reads that outlast a commit. */
const idleMax = 4

/**
 * Creates snapshots. All readers between two commits see the same state, so they share a connection and
 * its transaction, which saves the locks of separate ones. It ends just before the next commit. Nearly
 * every read has ended by then, since it awaits the store only and commits take separate turns of the
 * event loop. For the others the transaction stays open, and later readers use another connection.
 */
export function snapshots(open: () => SqliteConnection): Snapshots {
  const idle: SqliteConnection[] = []
  const views = new Set<View>()
  const fresh = (connection: SqliteConnection): View => {
    const view = { connection, readers: 0, held: false, past: false }
    views.add(view)
    return view
  }
  let current = fresh(open())

  const retire = (view: View): void => {
    views.delete(view)
    view.connection.now('commit')
    if (idle.length < idleMax) idle.push(view.connection)
    else view.connection.close()
  }

  return {
    read: async (work) => {
      const view = current
      if (!view.held) hold(view)
      view.readers += 1
      try {
        return await work(view.connection)
      } finally {
        view.readers -= 1
        if (view.past && view.readers === 0) retire(view)
      }
    },
    beforeCommit: () => {
      if (!current.held) return
      if (current.readers === 0) {
        current.connection.now('commit')
        current.held = false
        return
      }
      current.past = true
      current = fresh(idle.pop() ?? open())
    },
    close: () => {
      for (const view of views) view.connection.close()
      for (const connection of idle) connection.close()
    },
  }
}

/** A transaction sees the state of its first read, not that of its beginning. */
function hold(view: View): void {
  view.connection.now('begin')
  view.connection.now('select 1 from meta limit 1')
  view.held = true
}
