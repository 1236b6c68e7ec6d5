import type { Encoding } from '../core/carrier.ts'
import type { Fields } from '../core/field.ts'
import { sameJson, type JsonObject } from '../core/json.ts'
import type { InputError } from '../core/problem.ts'
import type { Transaction } from '../core/store.ts'
import { messages, type Message } from '../collections/messages.ts'
import { chooseEncoding, encodingFault } from './encoding.ts'
import { countParts } from './parts.ts'

/** What the operator decides for messages that leave it open. */
export interface ContentDefaults {
  /** The sender of a message that names none. */
  readonly defaultSender: string
  /** The carrier for a recipient, of a message that names none; null where none serves it. */
  readonly routeOf: (recipient: string) => string | null
  /** Tells whether there is a carrier of this identifier. */
  readonly isCarrier: (transaction: Transaction, id: string) => Promise<boolean>
}

/** The most parts a body may take where the request says nothing. */
const defaultMaxParts = 10

/** What a part of a message costs, in credits: one each, whatever its destination. */
const creditsPerPart = 1

/**
 * Fills in what a request left open or cannot say: sender, encoding, carrier, number of parts, cost.
 * A sent message costs 1 credit a part, a received one nothing.
 */
export function complete(wanted: Message, defaults: ContentDefaults): Message {
  const sent = wanted.type === 'SENT'
  const encoding = wanted.encoding ?? chooseEncoding(wanted.body)
  const numberOfParts = countParts(wanted.body, encoding)
  return {
    ...wanted,
    from: wanted.from ?? (sent ? defaults.defaultSender : null),
    encoding,
    numberOfParts,
    creditCost: sent ? numberOfParts * creditsPerPart : 0,
    carrier: wanted.carrier ?? (sent ? defaults.routeOf(wanted.to) : null),
  }
}

/** The faults of a completed message, its times and its carrier apart. */
export function contentFaults(message: Message, maxParts: number): readonly InputError[] {
  const { type, from, body } = message
  const encoding: Encoding = message.encoding ?? 'UNICODE'
  const faults: InputError[] = []
  if (type === 'RECEIVED' && from === null) {
    faults.push({ pointer: '/from', detail: 'is required of a received message' })
  }
  const unfit = encodingFault(body, encoding)
  if (unfit !== null) faults.push({ pointer: '/body', detail: unfit })
  else if (type === 'SENT' && message.numberOfParts > maxParts) {
    faults.push({ pointer: '/body', detail: tooLong(message.numberOfParts, maxParts) })
  }
  return faults
}

/** The fault of a carrier that a request names; there is none where it names none. */
export async function carrierFaults(
  carrier: string | null,
  transaction: Transaction,
  { isCarrier }: ContentDefaults,
): Promise<readonly InputError[]> {
  if (carrier === null || (await isCarrier(transaction, carrier))) return []
  return [{ pointer: '/carrier', detail: `is no carrier: ${JSON.stringify(carrier)}` }]
}

function tooLong(parts: number, maxParts: number): string {
  const allowed = maxParts === 1 ? '1 is' : `${maxParts} are`
  return `takes ${parts} parts, and at most ${allowed} allowed: shorten it, or raise maxParts`
}

/** The most parts that the request for a message allows, from what is kept beside it. */
export function maxPartsOf(hidden: JsonObject | null): number {
  const maxParts = hidden?.['maxParts']
  return typeof maxParts === 'number' ? maxParts : defaultMaxParts
}

/** What is kept beside a message; null where that is nothing, so that nothing has to be read. */
export function keptBeside(hidden: JsonObject | null): JsonObject | null {
  return hidden !== null && Object.values(hidden).some((value) => value !== null) ? hidden : null
}

/** Tells whether two messages are the same in all that a client may set and is shown. */
export function sameContent(a: JsonObject, b: JsonObject): boolean {
  return contentFields.every((name) => sameJson(a[name], b[name]))
}

const fields: Fields = messages.fields
const contentFields = Object.keys(fields).filter((name) => {
  const field = fields[name]
  return !field?.readOnly && !field?.writeOnly
})
