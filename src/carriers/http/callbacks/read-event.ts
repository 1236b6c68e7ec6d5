import type { CarrierEvent } from '../../../core/ports/carrier.ts'
import { formats } from '../../../core/declaration/format.ts'
import { chooseEncoding } from '../../../encoding/choose-encoding.ts'
import { partEnds } from '../../../encoding/part-ends.ts'
import type { DeclaredCallback } from './callback-settings.ts'
import { findPattern } from '../reading/find-pattern.ts'
import { codeOf, idMax } from '../reading/read-answer.ts'
import { fits, textOf, valuesFrom, type LocatedValue } from '../reading/values-at.ts'

/** Content of a callback's event. */
export type ReadEvent =
  | { readonly kind: 'EVENT'; readonly event: CarrierEvent }
  /** Event without effect: ignored, or of an undeclared state, named by `word`. */
  | { readonly kind: 'PASSED_OVER'; readonly word: string | null }
  | { readonly kind: 'NOT_UNDERSTOOD'; readonly detail: string }
  /** Event that confirms a subscription. */
  | { readonly kind: 'CONFIRM'; readonly confirm: NonNullable<DeclaredCallback['confirm']> }

/** An event with the text of constants in it. */
export interface GivenEvent extends LocatedValue {
  /** Completes a constant of the declaration. */
  readonly constant: (text: string) => string
}

/** Reads an event after the first declaration that fits; one that ignores events comes last. */
export function readEvent(value: GivenEvent, declared: readonly DeclaredCallback[]): ReadEvent {
  const fitting = declared.filter(({ where }) => fits(value, where))
  const candidates = fitting.filter(({ ignore }) => !ignore)
  if (candidates.length === 0) {
    if (fitting.length > 0) return { kind: 'PASSED_OVER', word: null }
    return notUnderstood('is nothing that is declared here')
  }
  const read = candidates.map((each) => readAs(value, each))
  return (
    read.find(({ kind }) => kind !== 'NOT_UNDERSTOOD') ??
    read[0] ??
    notUnderstood('is nothing that is declared here')
  )
}

function readAs(value: GivenEvent, { receipt, message, confirm }: DeclaredCallback): ReadEvent {
  if (confirm !== null) return { kind: 'CONFIRM', confirm }
  if (receipt !== null) return readReceipt(value, receipt)
  return message === null ? notUnderstood('is not declared') : readMessage(value, message)
}

function readReceipt(
  value: GivenEvent,
  declared: NonNullable<DeclaredCallback['receipt']>,
): ReadEvent {
  const carrierMessageId = identifierAt(value, declared.id)
  const word = textAt(value, declared.status)
  if (carrierMessageId === null) return lacks('identifier', declared.id)
  if (word === null) return lacks('state', declared.status)
  const said = own(declared.statuses, word)
  if (said === undefined) return { kind: 'PASSED_OVER', word: word.slice(0, wordMax) }
  const given = textAt(value, declared.reason)
  const found = declared.reasonPattern === null ? given : foundIn(declared.reasonPattern, given)
  const named = codeOf(found)
  const code = declared.code === null ? named : codeOf(textAt(value, declared.code))
  if (said === 'ON_ITS_WAY') {
    return receiptEvent(carrierMessageId, { type: 'SENT', detail: detailOf(word) }, code)
  }
  if (said === 'DELIVERED' || said === 'UNKNOWN') {
    return receiptEvent(carrierMessageId, { type: said, detail: null }, code)
  }
  const reason = own(declared.reasons, named ?? '')
  const detail = reason === undefined || !isFailure(reason) ? said : reason
  return receiptEvent(carrierMessageId, { type: 'FAILED', detail }, code)
}

/** Maximum shown characters of a provider's state. */
const wordMax = 40

/** Returns a provider's intermediate state in the form of a status detail, such as `SENT_TO_SUPPLIER`. */
function detailOf(word: string): string {
  const words = word
    .slice(0, wordMax)
    .toUpperCase()
    .match(/[A-Z0-9]+/g)
  return words?.join('_') ?? 'ENROUTE'
}

function isFailure(state: string): boolean {
  return !['DELIVERED', 'UNKNOWN', 'ON_ITS_WAY'].includes(state)
}

function receiptEvent(
  carrierMessageId: string,
  outcome: Extract<CarrierEvent, { kind: 'RECEIPT' }>['outcome'],
  code: string | null,
): ReadEvent {
  const named = code === null ? {} : { code }
  return { kind: 'EVENT', event: { kind: 'RECEIPT', carrierMessageId, outcome, ...named } }
}

/** The class of a message that names none. */
const defaultClass = 1

function readMessage(
  value: GivenEvent,
  declared: NonNullable<DeclaredCallback['message']>,
): ReadEvent {
  const from = senderAt(value, declared)
  const to = addressAt(value, declared.to, declared.digits)
  const given = textAt(value, declared.body)
  if (from === null) return lacks('sender', declared.from)
  if (to === null) return lacks('recipient', declared.to)
  if (given === null) return lacks('text', declared.body)
  // No store keeps these two in a text.
  const body = given.toWellFormed().replaceAll('\0', '\ufffd')
  const form = chooseEncoding(body, { encoding: null, languages: [] })
  const event: CarrierEvent = {
    kind: 'INCOMING',
    from,
    to,
    body,
    encoding: form.encoding,
    protocolId: 0,
    messageClass: defaultClass,
    numberOfParts: countAt(value, declared.numberOfParts) ?? partEnds(body, form).length,
    carrierMessageId: identifierAt(value, declared.id),
    repliesTo: null,
  }
  return { kind: 'EVENT', event }
}

/**
 * Returns the sender: empty if the provider gives an empty text or null, null if it cannot be read. A
 * missing member is a fault, because the declaration may name the wrong place.
 */
function senderAt(
  value: GivenEvent,
  { from, digits }: NonNullable<DeclaredCallback['message']>,
): string | null {
  const [given] = valuesFrom(value, from, value.constant)
  return given === null || given === '' ? '' : addressAt(value, from, digits)
}

/** Returns the normalised address: E.164, a short code or a name; any other text stays as received. */
function addressAt(value: GivenEvent, place: string, digits: boolean): string | null {
  const text = textAt(value, place)?.trim() ?? ''
  if (!/^[^\p{C}]{1,20}$/u.test(text)) return null
  const given = digits && /^[1-9]\d{8,14}$/.test(text) ? `+${text}` : text
  const read = formats.sender.read(given)
  return read.ok ? read.text : given
}

function identifierAt(value: GivenEvent, place: string | null): string | null {
  const text = textAt(value, place) ?? ''
  return text !== '' && text.length <= idMax && !/\p{C}/u.test(text) ? text : null
}

/** The most parts that a message can have. */
const partsMax = 255

function countAt(value: GivenEvent, place: string | null): number | null {
  const count = Number(textAt(value, place) ?? '')
  return Number.isInteger(count) && count >= 1 && count <= partsMax ? count : null
}

function textAt(event: GivenEvent, source: string | null): string | null {
  if (source === null) return null
  return textOf(valuesFrom(event, source, event.constant)[0] ?? null)
}

function foundIn(pattern: string, text: string | null): string | null {
  return text === null ? null : findPattern(pattern, text)
}

function own<T>(map: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined
}

function lacks(what: string, place: string): ReadEvent {
  return notUnderstood(`has no ${what} that can be read at ${place === '' ? 'its root' : place}`)
}

function notUnderstood(detail: string): ReadEvent {
  return { kind: 'NOT_UNDERSTOOD', detail }
}
