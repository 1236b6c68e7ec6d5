import { QueryTimeout } from '../../../core/ports/store.ts'

/** Tasks that wait for one of a few places, in turns by their queue. */
export interface FairQueue {
  /**
   * Runs a task once its queue has its turn. Throws `QueryTimeout` if the signal aborts before, and if too
   * many tasks wait.
   */
  run<T>(queue: string, signal: AbortSignal, task: () => Promise<T>): Promise<T>
}

/** Maximum of tasks of one queue that run at a time. */
const runningPerQueue = 2
/** Maximum of tasks of one queue that wait. */
const waitingPerQueue = 1000

interface Queue {
  running: number
  readonly waiting: (() => void)[]
}

/** Creates a queue in which `places` tasks run at a time, at most two of them from one queue. */
export function fairQueue(places: number): FairQueue {
  // A queue that had its turn goes to the end.
  const queues = new Map<string, Queue>()
  let running = 0

  const startNext = (): void => {
    for (const [name, queue] of queues) {
      if (running === places) return
      if (queue.running === runningPerQueue) continue
      const start = queue.waiting.shift()
      if (start === undefined) continue
      queues.delete(name)
      queues.set(name, queue)
      queue.running += 1
      running += 1
      start()
    }
  }
  const turn = (queue: Queue, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        queue.waiting.splice(queue.waiting.indexOf(start), 1)
        reject(new QueryTimeout('the query waited for too long'))
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.waiting.push(start)
      startNext()
    })

  return {
    run: async (name, signal, task) => {
      const queue = queues.get(name) ?? { running: 0, waiting: [] }
      queues.set(name, queue)
      if (signal.aborted || queue.waiting.length >= waitingPerQueue) {
        throw new QueryTimeout('too many queries of the account are waiting')
      }
      await turn(queue, signal)
      try {
        return await task()
      } finally {
        queue.running -= 1
        running -= 1
        if (queue.running === 0 && queue.waiting.length === 0) queues.delete(name)
        startNext()
      }
    },
  }
}
