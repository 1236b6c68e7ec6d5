import type { Connection } from '../sql/connection.ts'
import type { SqliteConnection } from './connection.ts'

/** Reads that see what was committed when they began, and nothing of what is committed after. */
export interface Snapshots {
  read<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Must be called just before each commit. */
  beforeCommit(): void
  close(): void
}

/** A state of the database between two commits, and those who read it. */
interface View {
  readonly connection: SqliteConnection
  readers: number
  pinned: boolean
}

/** So many connections wait for the next time that reads outlast a commit. */
const idleMax = 4

/**
 * Hands out snapshots. Between two commits nothing changes, so all who read then share one
 * connection, and need no transaction. Nearly every read is over before the next commit, since it
 * awaits the store only, and commits have turns of the event loop of their own. Where one is not,
 * a transaction is begun for it just before the commit: from then on it goes on seeing the state as
 * it was, and those who come after read over another connection.
 */
export function snapshots(open: () => SqliteConnection): Snapshots {
  const idle: SqliteConnection[] = []
  const views = new Set<View>()
  const fresh = (): View => {
    const view = { connection: idle.pop() ?? open(), readers: 0, pinned: false }
    views.add(view)
    return view
  }
  let current = fresh()

  const leave = (view: View): void => {
    view.readers -= 1
    if (view.readers > 0 || !view.pinned) return
    views.delete(view)
    view.connection.now('commit')
    if (idle.length < idleMax) idle.push(view.connection)
    else view.connection.close()
  }

  return {
    read: async (work) => {
      const view = current
      view.readers += 1
      try {
        return await work(view.connection)
      } finally {
        leave(view)
      }
    },
    beforeCommit: () => {
      if (current.readers === 0) return
      current.connection.now('begin')
      // A transaction sees the state of its first read, not that of its beginning.
      current.connection.now('select name from meta limit 1')
      current.pinned = true
      current = fresh()
    },
    close: () => {
      for (const view of views) view.connection.close()
      for (const connection of idle) connection.close()
    },
  }
}
