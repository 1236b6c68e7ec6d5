import type { Fields } from '../../core/declaration/field.ts'
import { sameJson, type JsonObject } from '../../core/json.ts'
import type { PartScheme, NationalLanguage } from '../../core/part-scheme.ts'
import type { InputError } from '../../core/problem.ts'
import type { RuleContext } from '../../core/declaration/rules.ts'
import type { Transaction } from '../../core/ports/store.ts'
import type { SkipReason } from '../../collections/broadcasts.ts'
import {
  messages,
  scheduleMsMax,
  type Message,
  type ProposedMessage,
} from '../../collections/messages.ts'
import { chooseEncoding, encodingFault, partEnds } from '../../encoding/choose-encoding.ts'
import type { TextForm } from '../../encoding/septets.ts'
import type { AccountLimits, UsageEstimate } from '../../core/account-limits.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { timestamp } from '../../core/timestamp.ts'
import type { CostOf } from '../credits/credits.ts'

/** The operator's defaults for messages. */
export interface ContentDefaults {
  /** The default sender. */
  readonly defaultSender: string
  /** `registered`: only numbers of the account may be senders, besides the default one. */
  readonly senders: 'any' | 'registered'
  /** Returns the carrier for a recipient if the message names none; null if none serves it. */
  readonly routeOf: (recipient: string) => string | null
  /** Returns how the messages of a carrier become parts; the standard scheme for null. */
  readonly schemeOf: (carrier: string | null) => PartScheme
  /** Returns whether a carrier exists. */
  readonly isCarrier: (transaction: Transaction, id: string) => Promise<boolean>
  /** The languages whose shift tables a `TEXT` may use. */
  readonly nationalLanguages: readonly NationalLanguage[]
  /** Returns the cost of a message. */
  readonly costOf: CostOf
  /** Counts messages that no carrier has taken yet; without it they have no limit. */
  readonly waiting?: UsageEstimate
  /** The limits of accounts that set none. */
  readonly limits?: AccountLimits
}

/** The defaults that decide the form and the number of parts. */
export type PartDefaults = Pick<ContentDefaults, 'nationalLanguages' | 'schemeOf'>

/** The default limit of parts. */
const defaultMaxParts = 10

/**
 * Completes a request: sender, encoding, carrier, number of parts. The cost is zero, as for a
 * received message.
 */
export function complete(wanted: ProposedMessage, defaults: ContentDefaults): Message {
  const sent = wanted.type === 'SENT'
  const carrier = wanted.carrier ?? (sent ? defaults.routeOf(wanted.to) : null)
  const form = formOf({ ...wanted, carrier }, defaults)
  return {
    ...wanted,
    from: wanted.from || (sent ? defaults.defaultSender : ''),
    encoding: form.encoding,
    numberOfParts: partCount(wanted.body, form, defaults.schemeOf(carrier)),
    creditCost: 0,
    carrier,
  }
}

/** Returns the number of parts that the carrier of a message sends. */
export function partsOf(message: Message, defaults: PartDefaults): number {
  return partCount(message.body, formOf(message, defaults), defaults.schemeOf(message.carrier))
}

function partCount(body: string, form: TextForm, { longMessages }: PartScheme): number {
  return partEnds(body, form, longMessages).length
}

/** Returns a completed message with its cost. */
export async function withCost(
  message: Message,
  { writer, transaction }: Pick<RuleContext, 'writer' | 'transaction'>,
  { costOf }: ContentDefaults,
): Promise<Message> {
  if (message.type !== 'SENT') return message
  const creditCost = await costOf(transaction, { ...message, account: writer.account })
  return { ...message, creditCost }
}

/** A fault of a message's content, with the reason under which a broadcast counts it. */
export interface ContentFault {
  readonly error: InputError
  readonly reason: SkipReason
}

/** Returns the faults of a completed message, except those of its times and its carrier. */
export function contentFaults(
  message: Message,
  maxParts: number,
  defaults: ContentDefaults,
): readonly ContentFault[] {
  const { type, from, body, numberOfParts } = message
  const faults: ContentFault[] = []
  const add = (reason: SkipReason, pointer: string, detail: string): void =>
    void faults.push({ reason, error: { pointer, detail } })
  if (type === 'RECEIVED' && from === '') {
    add('unencodable', '/from', 'is required of a received message')
  }
  const unfit = encodingFault(body, formOf(message, defaults))
  if (unfit !== null) add('unencodable', '/body', unfit)
  else if (type === 'SENT' && numberOfParts > maxParts) {
    add('tooLong', '/body', tooLong(numberOfParts, maxParts))
  }
  return faults
}

/** Returns the same faults as errors of a request. */
export function contentErrors(
  message: Message,
  maxParts: number,
  defaults: ContentDefaults,
): readonly InputError[] {
  return contentFaults(message, maxParts, defaults).map(({ error }) => error)
}

/** Returns the form in which the carrier of a message sends it. */
function formOf(
  { body, encoding, carrier }: Pick<ProposedMessage, 'body' | 'encoding' | 'carrier'>,
  { nationalLanguages: languages, schemeOf }: PartDefaults,
): TextForm {
  return chooseEncoding(body, { encoding, languages, scheme: schemeOf(carrier) })
}

/** Returns the fault of the carrier that a request names, if it names one. */
export async function carrierFaults(
  carrier: string | null,
  transaction: Transaction,
  { isCarrier }: ContentDefaults,
): Promise<readonly InputError[]> {
  if (carrier === null || (await isCarrier(transaction, carrier))) return []
  return [
    { pointer: '/carrier', detail: `must be an existing carrier, not ${JSON.stringify(carrier)}` },
  ]
}

function tooLong(parts: number, maxParts: number): string {
  const allowed = maxParts === 1 ? '1 is' : `${maxParts} are`
  return `takes ${parts} parts, and at most ${allowed} allowed: shorten it, or raise maxParts`
}

/** Returns the most parts that the request for a message allows, from its hidden fields. */
export function maxPartsOf(hidden: JsonObject | null): number {
  const maxParts = hidden?.['maxParts']
  return typeof maxParts === 'number' ? maxParts : defaultMaxParts
}

/** Returns the hidden fields of a message; null if there are none, so that nothing has to be parsed. */
export function hiddenFields(hidden: JsonObject | null): JsonObject | null {
  return hidden !== null && Object.values(hidden).some((value) => value !== null) ? hidden : null
}

/** Returns whether two messages agree in all public fields that a client may set. */
export function sameContent(a: JsonObject, b: JsonObject): boolean {
  return contentFields.every((name) => sameJson(a[name], b[name]))
}

const fields: Fields = messages.fields
const contentFields = Object.keys(fields).filter((name) => {
  const field = fields[name]
  return !field?.readOnly && !field?.writeOnly
})

/** The times at which a message is sent and expires. */
export type MessageTimes = Pick<Message, 'scheduledAt' | 'validUntil'>

/**
 * Returns the faults of the times that a request changes; unchanged ones may have passed.
 * Timestamps of one form compare as text.
 */
export function timeFaults(
  times: MessageTimes,
  before: MessageTimes | null,
  now: Instant,
): InputError[] {
  const faults: InputError[] = []
  const { scheduledAt, validUntil } = times
  if (scheduledAt !== null && scheduledAt !== before?.scheduledAt) {
    if (scheduledAt <= timestamp(now)) {
      faults.push({ pointer: '/scheduledAt', detail: 'must be in the future' })
    } else if (scheduledAt > timestamp(now + scheduleMsMax)) {
      faults.push({ pointer: '/scheduledAt', detail: 'must be at most 2 years ahead' })
    }
  }
  if (validUntil === null) return faults
  if (validUntil !== before?.validUntil && validUntil <= timestamp(now)) {
    faults.push({ pointer: '/validUntil', detail: 'must be in the future' })
  } else if (scheduledAt !== null && validUntil <= scheduledAt) {
    faults.push({ pointer: '/validUntil', detail: 'must be after scheduledAt' })
  }
  return faults
}
