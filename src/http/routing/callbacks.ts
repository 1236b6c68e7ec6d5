import type { Callback, CallbackCounts, CallbackOutcome } from '../../core/ports/callback.ts'
import type { Metrics } from '../../core/ports/metrics.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import { checkCoding } from './read-body.ts'
import { type IncomingRequest, type PlainResponse, received } from '../server/request.ts'

/** Takes a callback for a carrier, or refuses it. */
export type TakeCarrierCallback = (carrier: string, callback: Callback) => Promise<CallbackOutcome>

/** Responds to a callback of a provider. */
export type RespondToCallback = (
  request: IncomingRequest,
  carrier: string,
  name: string,
) => Promise<PlainResponse>

/**
 * Creates the operation of `POST` and `GET /v1/carriers/{id}/callbacks/{name}`. It needs no key: the carrier
 * authenticates the caller. Unknown carriers, unknown callbacks and failed authentication get the
 * same response.
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
  return async (request, carrier, name) => {
    checkCoding(request)
    const { method, target, headers, body } = await received(request, null)
    const outcome = await take(carrier, { name, method, target, headers, body })
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
