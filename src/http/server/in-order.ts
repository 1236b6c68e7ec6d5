import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Begins the answer to a request, at once or when it is its turn. */
export type InOrder = (
  request: IncomingMessage,
  response: ServerResponse,
  begin: () => void,
) => void

/** So many requests may wait on a connection before it is read no further. */
const waitingMax = 32

/**
 * Begins no request before the answer to the one in front of it on the same connection is written.
 * Node hands over all requests of a pipeline (RFC 9112 section 9.3.2) as they are read: a client that
 * sends many and reads no answer would have all of them answered, and kept.
 */
export function inOrder(): InOrder {
  const waiting = new WeakMap<Socket, number>()
  return (request, response, begin) => {
    // A response has its socket from the beginning, unless there is one in front of it.
    if (response.socket !== null) return begin()
    const { socket } = request
    const count = (waiting.get(socket) ?? 0) + 1
    waiting.set(socket, count)
    // Node itself reads on once it has seen the end of this request, later in this turn.
    if (count === waitingMax) queueMicrotask(() => socket.pause())
    // Where the connection ends before, this never comes, and all that waits is forgotten with it.
    response.once('socket', () => {
      const left = (waiting.get(socket) ?? 1) - 1
      waiting.set(socket, left)
      if (left === waitingMax - 1) socket.resume()
      if (!socket.destroyed) begin()
    })
  }
}
