import type { MaybePromise } from '../../core/maybe-promise.ts'
import { QueryTimeout } from '../../core/ports/store.ts'
import type { Row, SqlConnection } from '../sql/connection.ts'
import { type QueryExecutor, queueNameOf } from '../sql/lists/bounded-reads.ts'
import { fairQueue, runInTurn } from '../sql/lists/fair-queue.ts'
import { numberIn } from '../sql/rows/row.ts'
import type { Transactions } from './connection/transactions.ts'

/** The pools of an executor. */
export interface QueryPools {
  /** The pool of expensive reads, and its size. */
  readonly queries: Transactions
  readonly queriesMax: number
  /** Sends the cancel requests. */
  readonly loops: Transactions
}

/**
 * Runs expensive reads on a separate pool, each with the rest of its budget as `statement_timeout`. If
 * the client disconnects, the server cancels the statement.
 */
export function queryExecutor({ queries, queriesMax, loops }: QueryPools): QueryExecutor {
  const queue = fairQueue(queriesMax)
  const cancel = (pid: number): Promise<unknown> =>
    loops.read((connection) => connection.first('select pg_cancel_backend(?)', [pid]))

  return {
    all: (reach, { sql, params }, signal, timeoutMs) =>
      runInTurn(queue, queueNameOf(reach), signal, () =>
        queries.read((connection) =>
          cancellable(connection, { cancel, signal, timeoutMs }, () => connection.all(sql, params)),
        ),
      ),
  }
}

/** The limits of a statement. */
interface Ending {
  readonly cancel: (pid: number) => Promise<unknown>
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

/** Runs a statement. Before the connection goes back, a cancel request that was sent has arrived. */
async function cancellable(
  connection: SqlConnection,
  { cancel, signal, timeoutMs }: Ending,
  run: () => MaybePromise<readonly Row[]>,
): Promise<readonly Row[]> {
  const backend = await connection.first(begin, [String(timeoutMs)])
  let cancelling: Promise<unknown> = Promise.resolve()
  const interrupt = (): void => {
    cancelling = cancel(numberIn(backend?.[0])).catch(() => {})
  }
  signal.addEventListener('abort', interrupt, { once: true })
  try {
    if (signal.aborted) throw new QueryTimeout('the query used up its time')
    return await run()
  } catch (error) {
    throw isCancelled(error) ? new QueryTimeout('the query used up its time') : error
  } finally {
    signal.removeEventListener('abort', interrupt)
    await cancelling
  }
}

const begin = "select pg_backend_pid(), set_config('statement_timeout', ?, true)"

/** `query_canceled` */
function isCancelled(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '57014'
}
