import type { CarrierEvent } from '../../../core/ports/carrier.ts'
import { formats } from '../../../core/declaration/format.ts'
import { chooseEncoding, partEnds } from '../../../encoding/choose-encoding.ts'
import type { DeclaredCallback } from './callback-settings.ts'
import { fits, valuesFrom } from '../reading/values-at.ts'
import {
  isIdentifier,
  lacks,
  notUnderstood,
  textAt,
  type GivenEvent,
  type ReadEvent,
} from './given-event.ts'
import { readReceipts } from './read-receipts.ts'

/**
 * Reads an event after the first declaration that fits; one that ignores events comes last. A receipt for
 * several identifiers is one event for each.
 */
export function readEvent(
  value: GivenEvent,
  declared: readonly DeclaredCallback[],
): readonly ReadEvent[] {
  const fitting = declared.filter(({ where }) => fits(value, where))
  const candidates = fitting.filter(({ ignore }) => !ignore)
  if (candidates.length === 0) {
    if (fitting.length > 0) return [{ kind: 'PASSED_OVER', word: null }]
    const isArray = Array.isArray(value.value)
    const hint = isArray ? ': it is an array, and events has no * for its items' : ''
    return [notUnderstood(`is nothing that is declared here${hint}`)]
  }
  const read = candidates.map((each) => readAs(value, each))
  return (
    read.find((events) => events.some(({ kind }) => kind !== 'NOT_UNDERSTOOD')) ?? read[0] ?? []
  )
}

function readAs(
  value: GivenEvent,
  { receipt, message, confirm }: DeclaredCallback,
): readonly ReadEvent[] {
  if (confirm !== null) return [{ kind: 'CONFIRM', confirm }]
  if (receipt !== null) return readReceipts(value, receipt)
  return [message === null ? notUnderstood('is not declared') : readMessage(value, message)]
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
  return isIdentifier(text) ? text : null
}

/** The most parts that a message can have. */
const partsMax = 255

function countAt(value: GivenEvent, place: string | null): number | null {
  const count = Number(textAt(value, place) ?? '')
  return Number.isInteger(count) && count >= 1 && count <= partsMax ? count : null
}
