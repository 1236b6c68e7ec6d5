import type { OutgoingMessage } from '../../../core/ports/carrier.ts'
import type { NationalLanguage } from '../../../core/national-language.ts'
import { chooseEncoding } from '../../../encoding/choose-encoding.ts'
import { dataCodingOf } from '../../../encoding/data-coding.ts'
import { encodeMessage, type EncodedPart } from '../../../encoding/encode-message.ts'
import { smppAddress } from './address.ts'
import { encodePdu } from './encode-pdu.ts'
import { tags, type Body } from './pdu.ts'
import type { SmppSettings } from '../settings.ts'
import type { Instant } from '../../../core/ports/clock.ts'
import { timestamp } from '../../../core/timestamp.ts'

/** A part as it is submitted: the octets of a `submit_sm` whose sequence number is still to be set. */
export type SubmittedPart = Buffer

/**
 * Writes a message as the parts in which it is submitted. `reference` is the same in all of them.
 * Throws where SMPP cannot carry something of it.
 */
export function submittedParts(
  message: OutgoingMessage,
  reference: number,
  settings: SmppSettings,
  languages: readonly NationalLanguage[],
): readonly SubmittedPart[] {
  const { encoding, body: text } = message
  const { longMessages } = settings
  const form = chooseEncoding(text, { encoding, languages, longMessages })
  // What fits one part is one in any case: `message_payload` is for what does not.
  const inOnePiece = longMessages === 'PAYLOAD' && message.numberOfParts > 1
  const options = { longMessages: inOnePiece ? longMessages : partsAs(longMessages), reference }
  const { parts } = encodeMessage(text, form, options)

  const whole = bodyOf(message, settings)
  const extra = configured(settings)
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

function partsAs(longMessages: SmppSettings['longMessages']): SmppSettings['longMessages'] {
  return longMessages === 'PAYLOAD' ? 'UDH8' : longMessages
}

const registeredDelivery = { NONE: 0, ALL: 1, FAILED: 2 } as const

type WholeBody = Omit<Body<'submit_sm'>, 'esm_class' | 'short_message'>

/** Parameters that all parts share. */
function bodyOf(message: OutgoingMessage, settings: SmppSettings): WholeBody {
  const { sourceTon, sourceNpi, destinationTon, destinationNpi } = settings
  const source = smppAddress(message.from, { ton: sourceTon, npi: sourceNpi })
  const destination = smppAddress(message.to, { ton: destinationTon, npi: destinationNpi })
  return {
    service_type: settings.serviceType,
    source_addr_ton: source.ton,
    source_addr_npi: source.npi,
    source_addr: source.address,
    dest_addr_ton: destination.ton,
    dest_addr_npi: destination.npi,
    destination_addr: destination.address,
    protocol_id: message.protocolId,
    priority_flag: 0,
    schedule_delivery_time: '',
    validity_period: validityPeriod(message.validUntil),
    registered_delivery: registeredDelivery[settings.receipts],
    replace_if_present_flag: 0,
    data_coding: dataCodingOf(message.encoding, message.messageClass),
    sm_default_msg_id: 0,
  }
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

function configured({ tlvs }: SmppSettings): readonly (readonly [number, Uint8Array])[] {
  return (tlvs ?? []).map(({ tag, value }) => [Number(tag), Uint8Array.fromHex(value)])
}

/**
 * Writes a time as SMPP 3.4 section 7.1.1 has it, absolute and in UTC: `YYMMDDhhmmsst00+`. Empty for
 * none, which leaves it to the SMSC.
 */
export function validityPeriod(until: Instant | null): string {
  if (until === null) return ''
  // From 2026-01-02T03:04:05.600Z.
  const digits = timestamp(until).replace(/\D/g, '')
  return `${digits.slice(2, 15)}00+`
}
