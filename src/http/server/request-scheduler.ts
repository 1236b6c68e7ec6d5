import type { Clock } from '../../core/ports/clock.ts'

/** The order in which the requests of all connections begin. */
export interface RequestScheduler {
  /** Begins a request of a client, immediately or in a later turn of the event loop. */
  begin(client: string, request: () => void): void
  /** Goes on with a request whose large body has come; others of them wait until everything else had time, too. */
  alone(request: () => void): void
  /** Tells that a connection was accepted: the next one need not wait for the requests of this turn. */
  accepted(): void
}

/** Time that begun requests may take of one turn of the event loop, in milliseconds. */
const turnMs = 2

/**
 * Time of everything else after a request with a large body, in milliseconds: a client that connects needs several
 * turns, and each would wait for another large body.
 */
const betweenMs = 5

/**
 * Begins requests as they come, until they took their time of a turn of the event loop. The others wait for the next
 * turns, in which clients take turns: one with a thousand connections does not delay another by all of them. What
 * waits is bounded by the connections, of which each has one request at a time.
 *
 * The runtime accepts one connection in each turn. So a turn that accepted one begins a single waiting request: a
 * client that opens 1,000 connections at once would delay the connection of another by as many turns.
 */
export function requestScheduler(clock: Clock): RequestScheduler {
  /** By client; the next client first. */
  const waiting = new Map<string, (() => void)[]>()
  /** The time at which this turn has no more time; null if none was taken. */
  let endsAt: number | null = null
  let hasAccepted = false

  const runTurn = (): void => {
    const isShort = hasAccepted
    endsAt = null
    if (waiting.size === 0) return
    beginTurn()
    if (isShort) endsAt = 0
    // What is inserted again comes last.
    for (const [client, queue] of waiting) {
      waiting.delete(client)
      const request = queue.shift()
      if (queue.length > 0) waiting.set(client, queue)
      request?.()
      if (!hasTime()) break
    }
  }
  const beginTurn = (): void => {
    hasAccepted = false
    endsAt = clock.monotonic() + turnMs
    setImmediate(runTurn)
  }
  const hasTime = (): boolean => endsAt !== null && clock.monotonic() < endsAt

  return {
    begin: (client, request) => {
      if (endsAt === null) beginTurn()
      if (waiting.size === 0 && hasTime()) return request()
      const queue = waiting.get(client)
      if (queue === undefined) waiting.set(client, [request])
      else queue.push(request)
    },
    alone: oneAtATime(clock),
    accepted: () => {
      hasAccepted = true
      if (endsAt !== null) endsAt = 0
    },
  }
}

/** Returns what begins requests with large bodies, each some time after the one before has taken its turn. */
function oneAtATime(clock: Clock): RequestScheduler['alone'] {
  /** The first one has begun. */
  const requests: (() => void)[] = []
  const run = (): void => {
    requests[0]?.()
    // Only in the next turn has it used its own.
    setImmediate(() => clock.after(betweenMs, end))
  }
  const end = (): void => {
    requests.shift()
    if (requests.length > 0) run()
  }
  return (request) => {
    requests.push(request)
    if (requests.length === 1) setImmediate(run)
  }
}
