import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { andThen, type MaybePromise } from '../../core/maybe-promise.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { BytesInFlight } from './bytes-in-flight.ts'
import type { Connections } from './connections.ts'
import type { Handle } from './handle.ts'
import { hasTooManyFields, plainRequest } from './plain-request.ts'
import { hasBody, requestBody, type RequestBody } from './request-body.ts'
import type { RequestScheduler } from './request-scheduler.ts'
import { responseWriter } from './write-response.ts'

/** Octets that a body may have: 1 MiB. */
const bodyBytesMax = 1_048_576

/** Takes a request whose head was read; `demand` asks the client for the body. */
export type Take = (request: IncomingMessage, response: ServerResponse, demand: () => void) => void

/** Returns what takes the requests of all connections, those of each in order. */
export function taker(
  handle: Handle,
  { inFlight, clock }: { readonly inFlight: BytesInFlight; readonly clock: Clock },
  watched: Connections,
  scheduler: RequestScheduler,
  closing: AbortSignal,
): Take {
  const inTurn = inOrder(watched.fault)
  const writes = responseWriter(closing, clock)
  return (request, response, demand) => {
    const { socket } = request
    const fault = (): void => watched.fault(socket)
    const body = hasBody(request)
      ? requestBody(request, bodyBytesMax, demand, inFlight, fault)
      : null
    watched.seen(socket, response, body)
    if (hasTooManyFields(request)) fault()
    const isRead = body !== null && !withoutBody.has(request.method ?? '')
    if (!isRead) body?.discard()
    const begin = (): void => {
      if (socket.destroyed) return
      const read = isRead ? spaced(body, scheduler) : null
      const plain = plainRequest(request, response, read, closing)
      andThen(handle(plain), (content) => writes({ response, body, content }))
    }
    inTurn(request, response, () => scheduler.begin(clientOf(request), begin))
  }
}

/** Octets of a body that takes milliseconds to understand: many that end together must not do so in one turn. */
const largeBytes = 65_536

/** Returns a body that waits for a turn of its own if it is large. */
function spaced(body: RequestBody, scheduler: RequestScheduler): Pick<RequestBody, 'receive'> {
  const alone = (bytes: Uint8Array): MaybePromise<Uint8Array> =>
    bytes.length <= largeBytes
      ? bytes
      : new Promise((resolve) => scheduler.alone(() => resolve(bytes)))
  return { receive: (account) => andThen(body.receive(account), alone) }
}

/** Names the client of a request by its credentials, which are not checked yet, or by its address. */
function clientOf({ headers, socket }: IncomingMessage): string {
  return headers.authorization ?? headers.cookie ?? socket.remoteAddress ?? ''
}

/** Methods whose body has no meaning (RFC 9110 section 9.3): it is discarded. */
const withoutBody = new Set(['GET', 'HEAD', 'TRACE'])

/** Begins the response to a request, immediately or after the earlier ones. */
type InOrder = (request: IncomingMessage, response: ServerResponse, begin: () => void) => void

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
function inOrder(fault: (socket: Socket) => void): InOrder {
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
