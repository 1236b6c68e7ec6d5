import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../core/ports/clock.ts'
import { andThen, type MaybePromise } from '../../core/maybe-promise.ts'
import type { BytesInFlight } from './bytes-in-flight.ts'
import type { Connections } from './connections.ts'
import type { RequestScheduler } from './request-scheduler.ts'
import type { Handle } from './handle.ts'
import { inOrder } from './in-order.ts'
import { hasTooManyFields, plainRequest } from './plain-request.ts'
import { hasBody, requestBody, type RequestBody } from './request-body.ts'
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
