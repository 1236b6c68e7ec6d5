import { constants, getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { Row, SqlValue } from '../sql/connection.ts'
import { pageLengthMax } from '../../core/declaration/query.ts'
import { openReader } from './open-file.ts'

/** Start parameters of a thread. */
export interface ReadThreadData {
  readonly file: string
  /** Its first element is 1 while the statement shall end. */
  readonly interrupted: SharedArrayBuffer
}

/** A statement for a thread. */
export interface ThreadStatement {
  readonly sql: string
  readonly params: readonly SqlValue[]
}

/** The response of a thread: rows, or the text of an error, or that the rows are too large. */
export type ThreadResponse =
  { readonly rows: readonly Row[] } | { readonly error: unknown } | { readonly isTooLarge: true }

/** Characters that rows may have: those of a page, with their hidden fields and keys. */
const rowsLengthMax = 2 * pageLengthMax

/**
 * Runs the statements of one store, one at a time, in a separate thread. `node:sqlite` cannot interrupt a
 * statement, so the statement calls `proceeds()` for each row, which fails once the flag is set.
 */
function serve({ file, interrupted }: ReadThreadData): void {
  yieldToMainThread()
  const database = openReader(file)
  const flag = new Int32Array(interrupted)
  database.function('proceeds', () => {
    if (Atomics.load(flag, 0) === 1) throw new Error('interrupted')
    return 1
  })
  parentPort?.on('message', ({ sql, params }: ThreadStatement) => {
    parentPort?.postMessage(responseOf(sql, params), [])
  })

  function responseOf(sql: string, params: readonly SqlValue[]): ThreadResponse {
    try {
      const statement = database.prepare(sql)
      statement.setReturnArrays(true)
      const rows: Row[] = []
      let length = 0
      for (const found of statement.iterate(...params)) {
        // Node's declarations have no type for a statement that returns arrays.
        const row = found as unknown as Row
        rows.push(row)
        for (const value of row) length += typeof value === 'string' ? value.length : 0
        if (length > rowsLengthMax) return { isTooLarge: true }
      }
      return { rows }
    } catch (error) {
      return { error }
    }
  }
}

/** On a busy machine the main thread, which serves all clients, gets a core before an expensive read does. */
function yieldToMainThread(): void {
  // Linux alone has a priority for each thread; elsewhere this would be that of the process.
  if (process.platform !== 'linux') return
  try {
    setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL))
  } catch {
    // A sandbox may forbid it. Reads then compete.
  }
}

serve(workerData)
