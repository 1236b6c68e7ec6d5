import type {
  Callback,
  CallbackCounts,
  CallbackOutcome,
  TakeCallback,
} from '../../../core/ports/callback.ts'
import type { CarrierEvent, ReceivingGround } from '../../../core/ports/carrier.ts'
import type { JsonValue } from '../../../core/json.ts'
import type { InputError } from '../../../core/problem.ts'
import { authenticator } from './authenticate.ts'
import { formObject, readJson } from '../read-body.ts'
import { readEvent, type ReadEvent } from './read-event.ts'
import type { HttpSettings } from '../settings.ts'
import { valuesAt } from '../values-at.ts'

/** Dependencies of a callback handler. */
export interface CallbackOptions extends ReceivingGround {
  readonly id: string
  readonly settings: HttpSettings
}

/** More events than this in one callback are refused: they are made durable together. */
const eventsMax = 1000

/** Creates the callback handler of a carrier. Its events are durable before the response. */
export function callbackTaker(options: CallbackOptions): TakeCallback {
  const { id, settings, log, report } = options
  const authenticate = authenticator(id, settings)
  return async (callback) => {
    const declared = settings.callbacks.filter(({ name }) => name === callback.name)
    const may = authenticate(callback)
    const [first] = declared
    if (!may || first === undefined) {
      log('debug', 'callback refused', { carrier: id })
      return { kind: 'REFUSED' }
    }
    const content = readBody(callback)
    if (content.kind !== 'READ') return content
    const values = eventsIn(content.value, first.events)
    if (values === null) return unreadable(`There are no events at ${first.events}.`)
    if (values.length > eventsMax) return unreadable(`It has more than ${eventsMax} events.`)

    const read = values.map((value) => readEvent(value, declared))
    const events = read.flatMap((each) => (each.kind === 'EVENT' ? [each.event] : []))
    if (events.length > 0) await report(events)
    return answerTo(read, first.events, countsOf(read, events), options)
  }
}

type Content =
  | { readonly kind: 'READ'; readonly value: JsonValue }
  | Extract<CallbackOutcome, { kind: 'UNREADABLE' | 'WRONG_TYPE' }>

const decoder = new TextDecoder('utf-8', { fatal: true })

function readBody({ headers, body }: Callback): Content {
  const type = String(headers['content-type'] ?? '')
    .split(';', 1)[0]
    ?.trim()
    .toLowerCase()
  const isJson = type === 'application/json' || type?.endsWith('+json') === true
  if (!isJson && type !== 'application/x-www-form-urlencoded') {
    const detail = 'A callback is application/json or application/x-www-form-urlencoded.'
    return { kind: 'WRONG_TYPE', detail }
  }
  const text = decoded(body)
  if (text === null) return unreadable('The body is not UTF-8.')
  if (!isJson) return { kind: 'READ', value: formObject(new URLSearchParams(text)) }
  const value = readJson(text)
  return value === undefined ? unreadable('The body is not JSON.') : { kind: 'READ', value }
}

function decoded(body: Uint8Array): string | null {
  try {
    return decoder.decode(body)
  } catch {
    return null
  }
}

function unreadable(detail: string): Extract<CallbackOutcome, { kind: 'UNREADABLE' }> {
  return { kind: 'UNREADABLE', detail }
}

/** Returns null if nothing is at the pointer; an empty array means no events. */
function eventsIn(content: JsonValue, pointer: string): readonly JsonValue[] | null {
  const values = valuesAt(content, pointer)
  if (values.length > 0) return values
  const array = pointer.endsWith('/*') ? valuesAt(content, pointer.slice(0, -2)) : []
  return array.some((each) => Array.isArray(each)) ? [] : null
}

function countsOf(read: readonly ReadEvent[], events: readonly CarrierEvent[]): CallbackCounts {
  const receipts = events.filter(({ kind }) => kind === 'RECEIPT').length
  return {
    receipts,
    messages: events.length - receipts,
    passedOver: read.filter(({ kind }) => kind === 'PASSED_OVER').length,
    notUnderstood: read.filter(({ kind }) => kind === 'NOT_UNDERSTOOD').length,
  }
}

function answerTo(
  read: readonly ReadEvent[],
  pointer: string,
  counts: CallbackCounts,
  { settings, log, id, onFault }: CallbackOptions,
): CallbackOutcome {
  const errors = read.flatMap((each, index): InputError[] =>
    each.kind === 'NOT_UNDERSTOOD'
      ? [{ pointer: pointer.replace('*', String(index)), detail: each.detail }]
      : [],
  )
  const strange = read.find((each) => each.kind === 'PASSED_OVER' && each.word !== null)
  if (strange?.kind === 'PASSED_OVER') onFault(`the state "${strange.word}" is not declared`)
  const [error] = errors
  if (error !== undefined) {
    onFault(`a callback was not understood: ${error.detail}`)
    log('warn', 'callback not understood', { carrier: id, events: errors.length })
    return { kind: 'NOT_UNDERSTOOD', errors, counts }
  }
  return { kind: 'TAKEN', ...settings.callbackAnswer, counts }
}
