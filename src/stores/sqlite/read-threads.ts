import { Worker } from 'node:worker_threads'
import { PageTooLarge } from '../../core/declaration/query.ts'
import { QueryTimeout, StoreUnavailable } from '../../core/ports/store.ts'
import { siblingModule } from '../../core/sibling-module.ts'
import { type QueryExecutor, queueNameOf } from '../sql/lists/bounded-reads.ts'
import { fairQueue, runInTurn } from '../sql/lists/fair-queue.ts'
import type { Row } from '../sql/connection.ts'
import type { Fragment } from '../sql/fragment.ts'
import { asFault } from './fault.ts'
import type { ReadThreadData, ThreadResponse } from './read-thread.ts'

/** Threads that read a file. */
export interface ReadThreads extends QueryExecutor, AsyncDisposable {}

/** One more than an account may use at a time, so that no account keeps all others waiting. */
const threadsMax = 3

interface Thread {
  readonly worker: Worker
  readonly flag: Int32Array
}

/**
 * Runs expensive reads of a file in threads. A thread starts with the first read that finds none idle. It
 * opens its snapshot after the request arrived, so it sees all commits that were acknowledged before.
 */
export function readThreads(file: string): ReadThreads {
  const queue = fairQueue(threadsMax)
  const threads = new Set<Thread>()
  const idle: Thread[] = []
  let isClosed = false

  const start = (): Thread => {
    const thread = startThread(file)
    const forget = (): void => {
      threads.delete(thread)
      if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1)
    }
    thread.worker.on('error', forget)
    thread.worker.on('exit', forget)
    threads.add(thread)
    return thread
  }
  return {
    all: (reach, statement, signal) =>
      runInTurn(queue, queueNameOf(reach), signal, async () => {
        if (isClosed) throw new StoreUnavailable('the store is closed')
        const thread = idle.pop() ?? start()
        try {
          return await runOn(thread, statement, signal)
        } catch (error) {
          throw asFault(file, error)
        } finally {
          if (threads.has(thread)) idle.push(thread)
        }
      }),
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      for (const { flag } of threads) Atomics.store(flag, 0, 1)
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Runs a statement on a thread, which ends it if the signal aborts. */
async function runOn(
  { worker, flag }: Thread,
  statement: Fragment,
  signal: AbortSignal,
): Promise<readonly Row[]> {
  const interrupt = (): void => void Atomics.store(flag, 0, 1)
  Atomics.store(flag, 0, 0)
  signal.addEventListener('abort', interrupt, { once: true })
  if (signal.aborted) interrupt()
  try {
    const response = await respond(worker, statement)
    if ('rows' in response) return response.rows
    if ('isTooLarge' in response) throw new PageTooLarge()
    throw signal.aborted ? new QueryTimeout('the query used up its time') : response.error
  } finally {
    signal.removeEventListener('abort', interrupt)
  }
}

/** Starts a thread, which does not keep the process from ending. */
function startThread(file: string): Thread {
  const interrupted = new SharedArrayBuffer(4)
  const workerData: ReadThreadData = { file, interrupted }
  const script = siblingModule('./read-thread', import.meta.url)
  const worker = new Worker(script, { workerData, execArgv: [] })
  worker.unref()
  return { worker, flag: new Int32Array(interrupted) }
}

/** Sends a statement to a thread, and returns what comes back. Throws if the thread ends. */
function respond(worker: Worker, { sql, params }: Fragment): Promise<ThreadResponse> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      worker.off('message', receive)
      worker.off('error', fail)
      worker.off('exit', end)
      worker.unref()
    }
    const receive = (response: ThreadResponse): void => {
      settle()
      resolve(response)
    }
    const fail = (error: unknown): void => {
      settle()
      reject(new StoreUnavailable('the thread that reads failed', { cause: error }))
    }
    const end = (): void => fail(new Error('the thread ended'))
    worker.on('message', receive)
    worker.on('error', fail)
    worker.on('exit', end)
    worker.ref()
    worker.postMessage({ sql, params }, [])
  })
}
