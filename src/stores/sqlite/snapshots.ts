import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { SqlConnection } from '../sql/connection.ts'
import type { SqliteConnection } from './connection.ts'

/** Reads that see what was committed when they began, and nothing of what is committed after. */
export interface Snapshots {
  read<T>(work: (connection: SqlConnection) => MaybePromise<T>): Promise<T>
  /** Must be called just before each commit. */
  beforeCommit(): void
  close(): void
}

/** A state of the database between two commits, and those who read it. */
interface View {
  readonly connection: SqliteConnection
  readers: number
  /** A transaction is open, which holds the state. */
  held: boolean
  /** There was a commit since: nobody joins any more. */
  past: boolean
}

/** So many connections wait for the next time that reads outlast a commit. */
const idleMax = 4

/**
 * Hands out snapshots. All who read between two commits see the same state, so they share one
 * connection and one transaction on it, which also spares every read the locks of its own. It ends
 * just before the next commit. Nearly every read is over by then, since it awaits the store only,
 * and commits have turns of the event loop of their own. Where one is not, the transaction goes on
 * for it, and those who come after the commit read over another connection.
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
