import { QueryTimeout } from '../../../core/ports/store.ts'

/** Calls `leave` when a task need not wait any more; the returned function ends that. */
export type Patience = (leave: () => void) => () => void

/** Tasks that wait for one of a few places, in turns by their queue. */
export interface FairQueue {
  /**
   * Waits until a queue has its turn, and takes a place; the returned function gives it back. Throws `QueryTimeout` if
   * the patience ends before, and if too many tasks wait.
   */
  take(queue: string, patience: Patience): Promise<() => void>
  /** Returns how many tasks wait. */
  waiting(): number
}

/** Limits of one queue. */
export interface QueueLimits {
  /** Tasks that run at a time. */
  readonly running: number
  /** Tasks that wait. */
  readonly waiting: number
}

/** The limits of expensive reads. */
const usual: QueueLimits = { running: 2, waiting: 1000 }

interface Queue {
  running: number
  readonly waiting: (() => void)[]
}

/** Creates a queue in which `places` tasks run at a time. */
export function fairQueue(places: number, each: QueueLimits = usual): FairQueue {
  // A queue that had its turn goes to the end.
  const queues = new Map<string, Queue>()
  let running = 0

  const startNext = (): void => {
    for (const [name, queue] of queues) {
      if (running === places) return
      const start = queue.running < each.running ? queue.waiting.shift() : undefined
      if (start === undefined) continue
      queues.delete(name)
      queues.set(name, queue)
      queue.running += 1
      running += 1
      start()
    }
  }
  const forget = (name: string, queue: Queue): void => {
    if (queue.running === 0 && queue.waiting.length === 0) queues.delete(name)
  }
  const turn = (name: string, queue: Queue, patience: Patience): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        stay()
        resolve()
      }
      const stay = patience(() => {
        queue.waiting.splice(queue.waiting.indexOf(start), 1)
        forget(name, queue)
        reject(new QueryTimeout('the query waited for too long'))
      })
      queue.waiting.push(start)
      startNext()
    })

  return {
    waiting: () => queues.values().reduce((sum, { waiting }) => sum + waiting.length, 0),
    take: async (name, patience) => {
      const queue = queues.get(name) ?? { running: 0, waiting: [] }
      queues.set(name, queue)
      if (queue.waiting.length >= each.waiting) {
        throw new QueryTimeout('too many queries of the account are waiting')
      }
      await turn(name, queue, patience)
      return () => {
        queue.running -= 1
        running -= 1
        forget(name, queue)
        startNext()
      }
    },
  }
}

/** Runs a task in a place of its queue. Throws `QueryTimeout` if the signal aborts before. */
export async function runInTurn<T>(
  { take }: FairQueue,
  name: string,
  signal: AbortSignal,
  task: () => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw new QueryTimeout('the query has no time left')
  const leave = await take(name, untilAborted(signal))
  try {
    return await task()
  } finally {
    leave()
  }
}

function untilAborted(signal: AbortSignal): Patience {
  return (leave) => {
    signal.addEventListener('abort', leave, { once: true })
    return () => signal.removeEventListener('abort', leave)
  }
}
