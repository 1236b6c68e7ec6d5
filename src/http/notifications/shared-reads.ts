import type { LogReader } from '../../core/ports/notification-log.ts'

/** What event streams read of the log. */
export type StreamedLog = Pick<LogReader, 'read' | 'end'>

/**
 * Returns a log in which simultaneous reads of the same are one: a commit wakes all streams of an account. A read that
 * has begun is not shared: it may not see what its second caller waits for.
 */
export function sharedReads(log: StreamedLog): StreamedLog {
  const ends = shared<Awaited<ReturnType<StreamedLog['end']>>>()
  const reads = shared<Awaited<ReturnType<StreamedLog['read']>>>()
  return {
    end: (account) => ends(account, () => log.end(account)),
    read: (...range) => reads(JSON.stringify(range), () => log.read(...range)),
  }
}

/** Returns a function that asks once for all who ask under a name before the asking begins. */
function shared<T>(): (name: string, ask: () => Promise<T>) => Promise<T> {
  const waiting = new Map<string, Promise<T>>()
  return (name, ask) => {
    const known = waiting.get(name)
    if (known !== undefined) return known
    const answer = Promise.resolve().then(() => {
      waiting.delete(name)
      return ask()
    })
    waiting.set(name, answer)
    return answer
  }
}
