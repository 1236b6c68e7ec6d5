import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
