import type {
  ArrivingCallback,
  CallbackCounts,
  CallbackOutcome,
} from '../../core/ports/callback.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { ClientAddress } from '../access/client-address.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import { checkCoding } from './read-request.ts'
import { notAllowed, options } from './routes.ts'
import type { IncomingRequest, PlainResponse } from '../server/request.ts'

/** Takes a callback for a carrier, or refuses it. */
export type TakeCarrierCallback = (
  carrier: string,
  callback: ArrivingCallback,
) => Promise<CallbackOutcome>

/** Responds to a request on the path `carriers/{carrier}/callbacks/{name}`. */
export type RespondToCallback = (
  request: IncomingRequest,
  carrier: string,
  name: string,
  clientAddress: ClientAddress,
) => Promise<PlainResponse>

/** The methods of the paths of callbacks. */
const allow = 'GET, POST, OPTIONS'

/**
 * Creates the operation of `POST` and `GET /v1/carriers/{id}/callbacks/{name}`. It needs no key: the
 * carrier authenticates the caller, on the head of the request as far as its declaration allows. Unknown
 * carriers, unknown callbacks and failed authentication get the same response.
 */
export function callbacks(take: TakeCarrierCallback, metrics: Metrics): RespondToCallback {
  const calls = metrics.counter('nuncio_carrier_callbacks_total', 'Callbacks of carriers.', [
    ...new Set(Object.values(outcomes)),
  ])
  const events = metrics.counter(
    'nuncio_carrier_callback_events_total',
    'Events in callbacks of carriers, by kind.',
    Object.values(kinds),
  )
  const count = ({ receipts, messages, passedOver, notUnderstood }: CallbackCounts): void => {
    events.add(kinds.receipt, receipts)
    events.add(kinds.message, messages)
    events.add(kinds.passedOver, passedOver)
    events.add(kinds.notUnderstood, notUnderstood)
  }
  const bodies = arrivingBodies()
  return async (request, carrier, name, clientAddress) => {
    const { method, target, headers } = request
    if (method === 'OPTIONS') return options(allow)
    if (method !== 'POST' && method !== 'GET') throw notAllowed(method, allow)
    checkCoding(request)
    const receive = (): MaybePromise<Uint8Array> => bodies.receive(request, clientAddress)
    const outcome = await take(carrier, { name, method, target, headers, receive })
    calls.add(outcomes[outcome.kind])
    if ('counts' in outcome) count(outcome.counts)
    switch (outcome.kind) {
      case 'TAKEN':
        return callbackResponse(outcome)
      case 'REFUSED':
        throw unauthorizedCallback()
      case 'UNREADABLE':
        throw new Problem('invalid-request', outcome.detail)
      case 'WRONG_TYPE':
        throw new Problem('unsupported-media-type', outcome.detail)
      case 'NOT_UNDERSTOOD':
        throw invalidBody(outcome.errors)
    }
  }
}

/** Bodies of callbacks from one address that may be arriving: who sends them may prove it only by the body. */
const arrivingMax = 16

/** Receives the bodies of callbacks, not too many at a time from one client address. */
function arrivingBodies() {
  const counts = new Map<string, number>()
  const count = (address: string, by: number): void => {
    const now = (counts.get(address) ?? 0) + by
    if (now === 0) counts.delete(address)
    else counts.set(address, now)
  }
  return {
    receive: (request: IncomingRequest, clientAddress: ClientAddress): MaybePromise<Uint8Array> => {
      if ('body' in request) return request.body
      const address = clientAddress(request) ?? ''
      if ((counts.get(address) ?? 0) >= arrivingMax) throw tooManyArriving()
      const body = request.receive(null)
      // Most have come whole by now.
      if (!(body instanceof Promise)) return body
      count(address, 1)
      return body.finally(() => count(address, -1))
    },
  }
}

function tooManyArriving(): Problem {
  const detail = `${arrivingMax} bodies of callbacks from your address are arriving. Retry later.`
  return new Problem('too-many-requests', detail, { headers: { 'retry-after': '1' } })
}

const kinds = {
  receipt: { kind: 'receipt' },
  message: { kind: 'message' },
  passedOver: { kind: 'passed_over' },
  notUnderstood: { kind: 'not_understood' },
} as const

const outcomes = {
  TAKEN: { outcome: 'taken' },
  REFUSED: { outcome: 'refused' },
  UNREADABLE: { outcome: 'unreadable' },
  WRONG_TYPE: { outcome: 'unreadable' },
  NOT_UNDERSTOOD: { outcome: 'not_understood' },
} as const

function callbackResponse({
  status,
  contentType,
  body,
}: Extract<CallbackOutcome, { kind: 'TAKEN' }>): PlainResponse {
  const headers = contentType === null ? {} : { 'content-type': contentType }
  // A 204 has no body, even if the carrier declares one (RFC 9110 section 15.3.5).
  return { status, headers, body: status === 204 || status === 205 ? null : (body ?? '') }
}

function unauthorizedCallback(): Problem {
  return new Problem('unauthorized', 'Unknown callback, or wrong credentials.', {
    headers: { 'www-authenticate': 'Basic realm="nuncio callbacks", charset="UTF-8"' },
  })
}
