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

/**
 * Begins a response after the previous one on the same connection is written. Node emits all
 * requests of a pipeline (RFC 9112 section 9.3.2) as it reads them. A client that sends many and
 * reads no response would otherwise fill the memory with responses. Calls `fault` for a pipeline that is too long.
 */
export function inOrder(fault: (socket: Socket) => void): InOrder {
  const waiting = new WeakMap<Socket, number>()
  return (request, response, begin) => {
    // Node assigns the socket when a response is first in its pipeline.
    if (response.socket !== null) return begin()
    const { socket } = request
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    if (count > pipelinedMax) {
      // Once: what was read with it still comes.
      if (count === pipelinedMax + 1) fault(socket)
      return void socket.destroy()
    }
    // Node itself reads on once it has seen the end of this request, later in this turn.
    if (count === waitingMax) queueMicrotask(() => socket.pause())
    // If the connection ends first, this event never occurs, and the waiting requests are
    // collected.
    response.once('socket', () => {
      const left = (waiting.get(socket) ?? 1) - 1
      waiting.set(socket, left)
      if (left === waitingMax - 1) socket.resume()
      if (!socket.destroyed) begin()
    })
  }
}
