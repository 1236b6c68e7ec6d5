import type { SendHttp } from '../../core/ports/outgoing-request.ts'
import { sendRequest } from './send-request.ts'
import { guardedPools, type WayOutParts } from './guarded-pools.ts'

/** Sends requests of any method over kept connections. */
export interface HttpSender extends AsyncDisposable {
  readonly send: SendHttp
}

/** The most connections to one origin: who sends keeps a window of its own below that. */
export const connectionsMax = 256

/** Makes a way out for carriers: through the guard, over HTTP/1.1, with connections kept for each origin. */
export function sender(parts: WayOutParts): HttpSender {
  const { clock } = parts
  const perOrigin = guardedPools(parts, connectionsMax)

  return {
    send: async (request, signal) => {
      const loan = perOrigin.borrow(request.url.origin)
      try {
        return await sendRequest(loan.pool, request, clock, signal)
      } finally {
        loan.giveBack()
      }
    },
    [Symbol.asyncDispose]: () => perOrigin[Symbol.asyncDispose](),
  }
}
