import type { Clock } from '../../core/ports/clock.ts'

/** Begins work for a client, immediately or in a later turn of the event loop. */
export type RequestScheduler = (client: string, begin: () => void) => void

/**
 * Time that begun requests may take of one turn of the event loop, in milliseconds. The runtime accepts one
 * connection in each turn: with 10 ms, a client that opened 1,000 at once delayed others for seconds.
 */
const turnMs = 2

/**
 * Begins requests as they come, until they took their time of a turn of the event loop. The others wait for the next
 * turns, in which clients take turns: one with a thousand connections does not delay another by all of them. What
 * waits is bounded by the connections, of which each has one request at a time.
 */
export function requestScheduler(clock: Clock): RequestScheduler {
  /** By client; the next client first. */
  const waiting = new Map<string, (() => void)[]>()
  /** The time at which this turn has no more time; null if none was taken. */
  let endsAt: number | null = null

  const runTurn = (): void => {
    endsAt = null
    if (waiting.size === 0) return
    beginTurn()
    // What is inserted again comes last.
    for (const [client, queue] of waiting) {
      if (!hasTime()) break
      waiting.delete(client)
      const begin = queue.shift()
      if (queue.length > 0) waiting.set(client, queue)
      begin?.()
    }
  }
  const beginTurn = (): void => {
    endsAt = clock.monotonic() + turnMs
    setImmediate(runTurn)
  }
  const hasTime = (): boolean => endsAt !== null && clock.monotonic() < endsAt

  return (client, begin) => {
    if (endsAt === null) beginTurn()
    if (waiting.size === 0 && hasTime()) return begin()
    const queue = waiting.get(client)
    if (queue === undefined) waiting.set(client, [begin])
    else queue.push(begin)
  }
}
