import type {
  ArrivingCallback,
  Callback,
  CallbackOutcome,
  TakeCallback,
} from '../../../core/ports/callback.ts'
import type { ReceivingGround } from '../../../core/ports/carrier.ts'
import type { JsonValue } from '../../../core/json.ts'
import type { InputError } from '../../../core/problem.ts'
import type { HttpNetwork } from '../http-network.ts'
import { after } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import { asItIs, fill, readTemplate } from '../../template.ts'
import { locatedAt, type LocatedValue } from '../reading/values-at.ts'
import { answerChallenge } from './answer-challenge.ts'
import { type AuthenticateCallback, authenticator } from './authenticate.ts'
import type { DeclaredCallback } from './callback-settings.ts'
import { confirmSubscription } from './confirm-subscription.ts'
import { countsOf } from './count-events.ts'
import { readCallback, unreadable } from './read-callback.ts'
import { eventsMax, type GivenEvent, type ReadEvent } from './given-event.ts'
import { readEvent } from './read-event.ts'

/** Dependencies of a callback handler. */
export interface CallbackOptions extends ReceivingGround {
  readonly id: string
  readonly settings: HttpSettings
  readonly way: Pick<HttpNetwork, 'send' | 'clock'>
}

/** An event as it was read, with its place in the callback. */
interface PlacedEvent {
  readonly pointer: string
  readonly event: GivenEvent
  readonly read: ReadEvent
}

/** Creates the callback handler of a carrier. Its events are durable before the response. */
export function callbackTaker(options: CallbackOptions): TakeCallback {
  const { id, settings, log, report, way } = options
  const authenticate = authenticator(id, settings, way.clock)
  return async (arriving) => {
    const challenged = answerChallenge(id, settings, arriving)
    if (challenged !== null) return challenged
    const declared = settings.callbacks.filter(
      ({ name, method }) => name === arriving.name && method === arriving.method,
    )
    const callback = await authenticated(arriving, declared.length > 0, authenticate)
    if (callback === null) {
      log('debug', 'callback refused', { carrier: id })
      return { kind: 'REFUSED' }
    }
    return take(callback, declared, options, report)
  }
}

/** Returns a callback with its body; null if its head, or the whole of it, is refused. */
async function authenticated(
  arriving: ArrivingCallback,
  isDeclared: boolean,
  { head, whole }: AuthenticateCallback,
): Promise<Callback | null> {
  if (!(await head(arriving)) || !isDeclared) return null
  const callback = { ...arriving, body: await arriving.receive() }
  return (await whole(callback)) ? callback : null
}

async function take(
  callback: Callback,
  declared: readonly DeclaredCallback[],
  options: CallbackOptions,
  report: ReceivingGround['report'],
): Promise<CallbackOutcome> {
  const content = readCallback(callback, options.settings)
  if (content.kind !== 'READ') return content
  const given = givenEvents(content.value, declared)
  if (given === null) return unreadable(`There are no events at ${declared[0]?.events}.`)
  if (given.length > eventsMax) return tooMany
  const placed = given.flatMap((each) => placedEvents(each, declared, options.settings))
  if (placed.length > eventsMax) return tooMany

  const events = placed.flatMap(({ read }) => (read.kind === 'EVENT' ? [read.event] : []))
  if (events.length > 0) await report(events)
  const confirmed = await Promise.all(placed.map((each) => confirmedEvent(each, options)))
  return answerTo(confirmed, options)
}

const tooMany = unreadable(`It has more than ${eventsMax} events.`)

/** A value that a declaration names as an event. */
interface DeclaredEvent {
  readonly located: LocatedValue
  readonly path: string
  /** The position among the values of its path. */
  readonly index: number
}

/** Returns the events of all declared paths; null if there is none at any of them. */
function givenEvents(
  content: JsonValue,
  declared: readonly DeclaredCallback[],
): readonly DeclaredEvent[] | null {
  const found = [...new Set(declared.map(({ events }) => events))].map((path) =>
    eventsIn(content, path)?.map((located, index): DeclaredEvent => ({ located, path, index })),
  )
  return found.every((each) => each === undefined) ? null : found.flatMap((each) => each ?? [])
}

function placedEvents(
  { located, path, index }: DeclaredEvent,
  declared: readonly DeclaredCallback[],
  settings: HttpSettings,
): readonly PlacedEvent[] {
  const event = { ...located, constant: (text: string) => constantText(text, settings) }
  const pointer = isOneList(path) ? path.replace('*', String(index)) : path
  const ofPath = declared.filter(({ events }) => events === path)
  return readEvent(event, ofPath).map((read) => ({ pointer, event, read }))
}

function isOneList(path: string): boolean {
  return path.split('*').length === 2
}

/** Returns undefined if nothing is at the pointer; an empty array means no events. */
function eventsIn(content: JsonValue, pointer: string) {
  const root = { value: content, parents: [] }
  const located = locatedAt(root, pointer)
  if (located.length > 0) return located
  const array = pointer.endsWith('/*') ? locatedAt(root, pointer.slice(0, -2)) : []
  return array.some(({ value }) => Array.isArray(value)) ? [] : undefined
}

function constantText(text: string, { parameters }: HttpSettings): string {
  return (
    fill(readTemplate(text), (name) => parameters[after('parameter.', name) ?? ''], asItIs) ?? ''
  )
}

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
