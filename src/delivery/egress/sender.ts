import type { SendHttp } from '../../core/ports/outgoing-request.ts'
import { sendRequest } from './send-request.ts'
import { guardedPools, type WayOutParts } from './guarded-pools.ts'

/** HTTP client for any method, with connection pools. */
export interface HttpSender extends AsyncDisposable {
  readonly send: SendHttp
}

/** Maximum connections to one origin: each carrier's window is smaller. */
export const connectionsMax = 256

/** Creates the HTTP client for carriers: through the egress filter, over HTTP/1.1 with keep-alive. */
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
