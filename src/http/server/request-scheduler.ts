import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { andThen, type MaybePromise } from '../../core/maybe-promise.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { ArrivingRequest } from './request.ts'

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

/** Turns that accept a connection and begin nothing, before one that begins a request. */
const acceptingTurnsMax = 16

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
 * The runtime accepts one connection in each turn. So of those that accept one only some begin a waiting request, and
 * no more than that: a client that opens 1,000 connections at once would delay the connection of another by as many.
 */
export function requestScheduler(clock: Clock): RequestScheduler {
  /** By client; the next client first. */
  const waiting = new Map<string, (() => void)[]>()
  /** The time at which this turn has no more time; null if none was taken. */
  let endsAt: number | null = null
  let hasAccepted = false
  /** Turns in a row that accepted a connection and began nothing. */
  let accepting = 0

  const runTurn = (): void => {
    const isShort = hasAccepted
    endsAt = null
    if (waiting.size === 0) return
    beginTurn()
    if (isShort) endsAt = 0
    accepting = isShort ? (accepting + 1) % acceptingTurnsMax : 0
    if (accepting > 0) return
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

/** Octets of a body that takes milliseconds to understand: many that end together must not do so in one turn. */
const largeBytes = 65_536

/** Returns a body that waits for a turn of its own if it is large. */
export function spaced(
  body: Pick<ArrivingRequest, 'receive'>,
  scheduler: RequestScheduler,
): Pick<ArrivingRequest, 'receive'> {
  const alone = (bytes: Uint8Array): MaybePromise<Uint8Array> =>
    bytes.length <= largeBytes
      ? bytes
      : new Promise((resolve) => scheduler.alone(() => resolve(bytes)))
  return { receive: (account) => andThen(body.receive(account), alone) }
}

/** Begins the response to a request, immediately or after the earlier ones. */
export type InOrder = (
  request: IncomingMessage,
  response: ServerResponse,
  begin: () => void,
) => void

/** Requests that wait on a connection at which reading pauses. */
const waitingMax = 32

/** Requests on a connection that end it: what was read before the pause has thousands of short ones. */
const pipelinedMax = 256

/** Requests that wait on all connections: one costs some 30 KB. Beyond them, a connection that pipelines is ended. */
const waitingInTotalMax = 4_000

/**
 * Begins a response after the previous one on the same connection is written. Node emits all
 * requests of a pipeline (RFC 9112 section 9.3.2) as it reads them. A client that sends many and
 * reads no response would otherwise fill the memory with responses. Calls `fault` for a pipeline that is too long.
 */
export function inOrder(fault: (socket: Socket) => void): InOrder {
  const waiting = new Map<Socket, number>()
  let total = 0
  const add = (socket: Socket, difference: number): number => {
    const before = waiting.get(socket)
    if (before === undefined) {
      socket.once('close', () => {
        total -= waiting.get(socket) ?? 0
        waiting.delete(socket)
      })
    }
    const count = (before ?? 0) + difference
    waiting.set(socket, count)
    total += difference
    return count
  }
  return (request, response, begin) => {
    // Node assigns the socket when a response is first in its pipeline.
    if (response.socket !== null) return begin()
    const { socket } = request
    // What was read before the connection was ended still comes.
    if (socket.destroyed) return
    const count = add(socket, 1)
    if (count > pipelinedMax || total > waitingInTotalMax) {
      fault(socket)
      return void socket.destroy()
    }
    // Node itself reads on once it has seen the end of this request, later in this turn.
    if (count === waitingMax) queueMicrotask(() => socket.pause())
    // If the connection ends first, this event never occurs, and the waiting requests are
    // collected.
    response.once('socket', () => {
      if (socket.destroyed) return
      if (add(socket, -1) === waitingMax - 1) socket.resume()
      begin()
    })
  }
}
