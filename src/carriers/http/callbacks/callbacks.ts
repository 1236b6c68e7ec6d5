import type { JsonValue } from '../../../core/json.ts'
import type {
  ArrivingCallback,
  Callback,
  CallbackCounts,
  CallbackOutcome,
  TakeCallback,
} from '../../../core/ports/callback.ts'
import type { ReceivingGround } from '../../../core/ports/carrier.ts'
import type { SendHttp } from '../../../core/ports/outgoing-request.ts'
import type { InputError } from '../../../core/problem.ts'
import type { HttpNetwork } from '../http-network.ts'
import { type LocatedValue, textOf, valuesFrom } from '../reading/values-at.ts'
import type { HttpSettings } from '../settings.ts'
import { answerChallenge } from './answer-challenge.ts'
import { type AuthenticateCallback, authenticator } from './authenticate.ts'
import type { DeclaredCallback } from './callback-settings.ts'
import { givenEvents, type PlacedEvent, placedEvents } from './declared-events.ts'
import { eventsMax, notUnderstood, type ReadEvent } from './given-event.ts'
import { readCallback, unreadable } from './read-callback.ts'

/** Dependencies of a callback handler. */
export interface CallbackOptions extends ReceivingGround {
  readonly id: string
  readonly settings: HttpSettings
  readonly way: Pick<HttpNetwork, 'send' | 'clock'>
}

/** Creates the callback handler of a carrier. Its events are durable before the response. */
export function callbackTaker(options: CallbackOptions): TakeCallback {
  const { id, settings, log, onFault, way } = options
  const authenticate = authenticator(id, settings, way.clock)
  let isKnown = false
  const refuse = (reason: string): CallbackOutcome => {
    log('debug', 'callback refused', { carrier: id })
    // After the first accepted one, anyone could hide other errors by wrong callbacks.
    if (!isKnown) onFault(`a callback was refused with 401: ${reason}`)
    return { kind: 'REFUSED' }
  }
  return async (arriving) => {
    const challenged = answerChallenge(id, settings, arriving)
    if (challenged?.kind === 'REFUSED') return refuse('it does not match callbackChallenge')
    if (challenged !== null) return challenged
    const declared = settings.callbacks.filter(
      ({ name, method }) => name === arriving.name && method === arriving.method,
    )
    const read = await authenticated(arriving, declared.length > 0, authenticate)
    if (typeof read === 'string') return refuse(read)
    isKnown = true
    return take(read, declared, options)
  }
}

/** Returns a callback with its body; the reason if its head, or the whole of it, is refused. */
async function authenticated(
  arriving: ArrivingCallback,
  isDeclared: boolean,
  { head, whole }: AuthenticateCallback,
): Promise<Callback | string> {
  const ofHead = await head(arriving)
  if (ofHead !== null) return mismatch(ofHead)
  if (!isDeclared) return 'no callback is declared with its name and method'
  const callback = { ...arriving, body: await arriving.receive() }
  const ofWhole = await whole(callback)
  return ofWhole === null ? callback : mismatch(ofWhole)
}

function mismatch(part: string): string {
  return `it does not match ${part}`
}

async function take(
  callback: Callback,
  declared: readonly DeclaredCallback[],
  options: CallbackOptions,
): Promise<CallbackOutcome> {
  const content = readCallback(callback, options.settings)
  const outcome =
    content.kind === 'READ' ? await takeContent(content.value, declared, options) : content
  if (outcome.kind === 'UNREADABLE' || outcome.kind === 'WRONG_TYPE') {
    options.onFault(`a callback was not understood: ${outcome.detail}`)
  }
  return outcome
}

async function takeContent(
  content: JsonValue,
  declared: readonly DeclaredCallback[],
  options: CallbackOptions,
): Promise<CallbackOutcome> {
  const given = givenEvents(content, declared)
  if (given === null) return unreadable(`There are no events at ${declared[0]?.events}.`)
  if (given.length > eventsMax) return tooMany
  const placed = given.flatMap((each) => placedEvents(each, declared, options.settings))
  if (placed.length > eventsMax) return tooMany

  const events = placed.flatMap(({ read }) => (read.kind === 'EVENT' ? [read.event] : []))
  if (events.length > 0) await options.report(events)
  // Each confirmation is a request: a callback with a thousand would send a thousand.
  const first = placed.find(({ read }) => read.kind === 'CONFIRM')
  const confirmed = await Promise.all(
    placed.map((each) =>
      each.read.kind === 'CONFIRM' && each !== first
        ? { ...each, read: notUnderstood('is a second confirmation: a callback has one') }
        : confirmedEvent(each, options),
    ),
  )
  return answerTo(confirmed, options)
}

const tooMany = unreadable(`It has more than ${eventsMax} events.`)

async function confirmedEvent(
  placed: PlacedEvent,
  { way, log, id }: CallbackOptions,
): Promise<PlacedEvent> {
  const { event, read } = placed
  if (read.kind !== 'CONFIRM') return placed
  const fault = await confirmSubscription(event, read.confirm, event.constant, way.send)
  if (fault !== null) return { ...placed, read: { kind: 'NOT_UNDERSTOOD', detail: fault } }
  log('info', 'subscription confirmed', { carrier: id })
  return { ...placed, read: { kind: 'PASSED_OVER', word: null } }
}

function answerTo(
  placed: readonly PlacedEvent[],
  { settings, log, id, onFault }: CallbackOptions,
): CallbackOutcome {
  const counts = countsOf(placed.map(({ read }) => read))
  const errors = placed.flatMap(({ pointer, read }): InputError[] =>
    read.kind === 'NOT_UNDERSTOOD' ? [{ pointer, detail: read.detail }] : [],
  )
  for (const { read } of placed) {
    if (read.kind !== 'PASSED_OVER' || read.word === null) continue
    onFault(`the state "${read.word}" is not declared`)
    break
  }
  const [error] = errors
  if (error !== undefined) {
    onFault(`a callback was not understood: ${error.detail}`)
    log('warn', 'callback not understood', { carrier: id, events: errors.length })
    return { kind: 'NOT_UNDERSTOOD', errors, counts }
  }
  return { kind: 'TAKEN', ...settings.callbackAnswer, counts }
}

/** Counts the events of a callback by kind. */
function countsOf(read: readonly ReadEvent[]): CallbackCounts {
  const events = read.flatMap((each) => (each.kind === 'EVENT' ? [each.event] : []))
  const receipts = events.filter(({ kind }) => kind === 'RECEIPT').length
  return {
    receipts,
    messages: events.length - receipts,
    passedOver: read.filter(({ kind }) => kind === 'PASSED_OVER').length,
    notUnderstood: read.filter(({ kind }) => kind === 'NOT_UNDERSTOOD').length,
  }
}

type Confirmation = NonNullable<DeclaredCallback['confirm']>

/** Timeout of a confirmation: the provider waits for the response. */
const confirmMs = 10_000

/**
 * Requests the URL that confirms a subscription. Only the declared host is requested, over https.
 * Returns null if it worked, else the reason.
 */
async function confirmSubscription(
  event: LocatedValue,
  { url: source, host }: Confirmation,
  constant: (text: string) => string,
  send: SendHttp,
): Promise<string | null> {
  const text = textOf(valuesFrom(event, source, constant)[0] ?? null) ?? ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.host !== constant(host)) {
    return `has no URL of ${constant(host)} at ${source}`
  }
  const request = { method: 'GET', url, headers: {}, body: null, timeoutMs: confirmMs }
  const sent = await send(request, new AbortController().signal)
  if (sent.kind !== 'ANSWERED') return `was not confirmed: ${sent.detail}`
  return sent.status < 300 ? null : `was not confirmed: the provider answered ${sent.status}`
}
