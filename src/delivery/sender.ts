import { Pool } from 'undici'
import type { Clock } from '../core/clock.ts'
import type { Send } from '../core/outgoing-request.ts'
import { guardedConnector, type ConnectParts } from './connect.ts'
import { dialogue } from './dialogue.ts'
import { pools } from './pools.ts'

/** Sends requests of any method over kept connections. */
export interface Sender extends AsyncDisposable {
  readonly send: Send
}

/** The most connections to one origin: who sends keeps a window of its own below that. */
export const connectionsMax = 256

/** The most octets of an answer's header. */
const headerBytesMax = 16 * 1024

/** Makes a way out for carriers: through the guard, over HTTP/1.1, with connections kept for each origin. */
export function sender(parts: ConnectParts & { readonly clock: Clock }): Sender {
  const { clock } = parts
  const connect = guardedConnector(parts)
  const open = (origin: string): Pool =>
    new Pool(origin, {
      connect,
      connections: connectionsMax,
      pipelining: 1,
      allowH2: false,
      maxHeaderSize: headerBytesMax,
      // The deadline of the dialogue stands above these.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  const perOrigin = pools(open, clock)

  return {
    send: async (request, signal) => {
      const loan = perOrigin.borrow(request.url.origin)
      try {
        return await dialogue(loan.pool, request, clock, signal)
      } finally {
        loan.giveBack()
      }
    },
    [Symbol.asyncDispose]: () => perOrigin[Symbol.asyncDispose](),
  }
}
