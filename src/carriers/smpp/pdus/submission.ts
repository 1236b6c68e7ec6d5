import type { NationalLanguage, PartScheme } from '../../../core/part-scheme.ts'
import type { Encoding, OutgoingMessage } from '../../../core/ports/carrier.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import { timestamp } from '../../../core/timestamp.ts'
import { chooseEncoding, partEnds } from '../../../encoding/choose-encoding.ts'
import { dataCodingOf, type EncodedPart, encodeMessage } from '../../../encoding/encode-message.ts'
import type { SmppSettings } from '../settings.ts'
import { smppAddress, sourceWriter, type SourceWriter } from './address.ts'
import { type Body, tags } from './pdu.ts'
import { encodePdu } from './pdu-codec.ts'

/** A part as it is submitted: the octets of a `submit_sm` whose sequence number is still to be set. */
export type SubmittedPart = Buffer

/**
 * Writes a message as the parts in which it is submitted. `reference` is the same in all of them.
 * Throws where SMPP cannot carry something of it.
 */
export type PartWriter = (
  message: OutgoingMessage,
  reference: number,
  now: Instant,
) => readonly SubmittedPart[]

/** Returns how the messages of a carrier become parts. */
export function smppScheme({ longMessages, outgoingCharset }: SmppSettings): PartScheme {
  const nationalTables = outgoingCharset === 'GSM' || outgoingCharset === 'GSM_PACKED'
  return { longMessages, charset: outgoingCharset, nationalTables }
}

/** Creates the writer of a carrier's messages. */
export function partWriter(
  settings: SmppSettings,
  languages: readonly NationalLanguage[],
): PartWriter {
  const scheme = smppScheme(settings)
  const { longMessages, charset } = scheme
  const tlvsOf = tlvWriter(settings)
  const sourceOf = sourceWriter(settings)
  return (message, reference, now) => {
    const { encoding, body: text } = message
    const form = chooseEncoding(text, { encoding, languages, scheme })
    // What fits one part is one in any case: `message_payload` is for what does not.
    const inOnePiece = longMessages === 'PAYLOAD' && partEnds(text, form, longMessages).length > 1
    const ways = { longMessages: inOnePiece ? longMessages : partsAs(longMessages), charset }
    const { parts } = encodeMessage(text, form, { ...ways, reference })

    const whole = bodyOf(message, form.encoding, settings, sourceOf, now)
    const extra = tlvsOf(message)
    return parts.map((part) =>
      encodePdu({
        command: 'submit_sm',
        status: 0,
        sequence: 0,
        body: { ...whole, ...userData(part, inOnePiece) },
        tlvs: new Map([...extra, ...partTlvs(part, settings, inOnePiece)]),
      }),
    )
  }
}

function partsAs(longMessages: SmppSettings['longMessages']): SmppSettings['longMessages'] {
  return longMessages === 'PAYLOAD' ? 'UDH8' : longMessages
}

const registeredDelivery = { NONE: 0, ALL: 1, FAILED: 2 } as const

type WholeBody = Omit<Body<'submit_sm'>, 'esm_class' | 'short_message'>

/** Parameters that all parts share. */
function bodyOf(
  message: OutgoingMessage,
  encoding: Encoding,
  settings: SmppSettings,
  sourceOf: SourceWriter,
  now: Instant,
): WholeBody {
  const { destinationTon, destinationNpi, destinationPlus, priorityFlags } = settings
  const source = sourceOf(message.from)
  const destination = smppAddress(message.to, { ton: destinationTon, npi: destinationNpi })
  return {
    service_type: settings.serviceType,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destinationPlus ? message.to : destination.address,
    protocol_id: message.protocolId,
    priority_flag: priorityFlags?.[message.priority] ?? 0,
    schedule_delivery_time: '',
    validity_period: validityPeriod(message.validUntil, now, settings.validityPeriod),
    registered_delivery: registeredDelivery[settings.receipts],
    replace_if_present_flag: 0,
    data_coding: codingOf(encoding, message.messageClass, settings),
    sm_default_msg_id: 0,
  }
}

function codingOf(encoding: Encoding, messageClass: number, { dataCodings }: SmppSettings): number {
  const own = dataCodings?.find(
    (each) => each.encoding === encoding && (each.messageClass ?? messageClass) === messageClass,
  )
  return own?.dataCoding ?? dataCodingOf(encoding, messageClass)
}

/** Bit of `esm_class` for a header before the text, section 5.2.12. */
const headerIndicator = 0x40

function userData(
  part: EncodedPart,
  inOnePiece: boolean,
): Pick<Body<'submit_sm'>, 'esm_class' | 'short_message'> {
  return {
    esm_class: part.header === null ? 0 : headerIndicator,
    short_message: inOnePiece ? new Uint8Array(0) : octetsOf(part),
  }
}

function octetsOf({ header, octets }: EncodedPart): Uint8Array {
  if (header === null) return octets
  const all = new Uint8Array(header.length + octets.length)
  all.set(header)
  all.set(octets, header.length)
  return all
}

function partTlvs(
  part: EncodedPart,
  { longMessages }: SmppSettings,
  inOnePiece: boolean,
): readonly (readonly [number, Uint8Array])[] {
  if (inOnePiece) return [[tags.messagePayload, octetsOf(part)]]
  const { concatenation } = part
  if (longMessages !== 'SAR' || concatenation === null) return []
  const { reference, total, sequence } = concatenation
  return [
    [tags.sarReference, Uint8Array.of(reference >> 8, reference & 0xff)],
    [tags.sarTotal, Uint8Array.of(total)],
    [tags.sarPart, Uint8Array.of(sequence)],
  ]
}

/**
 * Writes the end of a validity, SMPP 3.4 section 7.1.1: absolute in UTC (`YYMMDDhhmmsst00+`), or
 * relative (`YYMMDDhhmmss000R`). Empty for none, which leaves it to the SMSC.
 */
function validityPeriod(
  until: Instant | null,
  now: Instant,
  form: SmppSettings['validityPeriod'],
): string {
  if (until === null || form === 'ABSENT') return ''
  if (form === 'RELATIVE') return relative(until - now)
  // From 2026-01-02T03:04:05.600Z.
  const digits = timestamp(until).replace(/\D/g, '')
  return `${digits.slice(2, 15)}00+`
}

/** The most days in two digits. Months have no fixed length. */
const secondsMax = 99 * 86_400

function relative(leftMs: number): string {
  const seconds = Math.min(Math.max(Math.floor(leftMs / 1000), 1), secondsMax)
  const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24]
  const [minutes, rest] = [Math.floor(seconds / 60) % 60, seconds % 60]
  const digits = [days, hours, minutes, rest].map((each) => String(each).padStart(2, '0'))
  return `0000${digits.join('')}000R`
}

/** Placeholders in the text of an optional parameter. */
export const tlvNames = [
  'id',
  'to',
  'toDigits',
  'from',
  'fromDigits',
  'userSuppliedId',
  'priority',
  'numberOfParts',
] as const

/** Writes the optional parameters that the settings add to a message. */
export type TlvWriter = (
  message: OutgoingMessage,
) => readonly (readonly [tag: number, value: Uint8Array])[]

/** Creates the writer. A parameter whose only placeholder has no value is left out. */
export function tlvWriter({ tlvs }: Pick<SmppSettings, 'tlvs'>): TlvWriter {
  const declared = (tlvs ?? []).map(({ tag, value, text }) => ({
    tag: Number(tag),
    value: Uint8Array.fromHex(value ?? ''),
    text,
  }))
  return (message) => {
    if (declared.length === 0) return []
    const values = valuesOf(message)
    return declared.flatMap(({ tag, value, text }) => {
      if (text === null) return [[tag, value] as const]
      const [only] = namesIn(text)
      const isEmpty = text === `{{${only}}}` && (values[only ?? ''] ?? null) === null
      return isEmpty ? [] : [[tag, Buffer.from(filled(text, values), 'utf8')] as const]
    })
  }
}

type PlaceholderValues = Readonly<Record<string, string | number | null>>

const placeholder = /\{\{([A-Za-z]+)\}\}/g

/** The names of the placeholders of a text. */
export function namesIn(text: string): readonly string[] {
  return [...text.matchAll(placeholder)].map(([, name = '']) => name)
}

function filled(text: string, values: PlaceholderValues): string {
  return text.replace(placeholder, (_, name: string) => String(values[name] ?? ''))
}

function valuesOf(message: OutgoingMessage): PlaceholderValues {
  const { id, to, from, userSuppliedId, priority, numberOfParts } = message
  const own: Readonly<Record<(typeof tlvNames)[number], string | number | null>> = {
    id,
    to,
    toDigits: digitsOf(to),
    from,
    fromDigits: digitsOf(from),
    userSuppliedId,
    priority,
    numberOfParts,
  }
  return own
}

function digitsOf(address: string): string {
  return address.replace(/^\+(?=\d)/, '')
}
