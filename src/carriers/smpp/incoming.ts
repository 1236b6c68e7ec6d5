import type { IncomingEvent, IncomingPartEvent } from '../../core/ports/carrier.ts'
import { decodeMessage } from '../../encoding/decode-message.ts'
import { noShifts } from '../../encoding/septets.ts'
import { readHeader, type UserDataHeader } from '../../encoding/user-data-header.ts'
import { readAddress } from './pdus/address.ts'
import { deliveryOctets } from './pdus/delivery-text.ts'
import type { SmppDelivery } from './session/link.ts'
import { tags, type Tlvs } from './pdus/pdu.ts'
import type { SmppSettings } from './settings.ts'

/** Reads a message that came in, or the part of one. */
export function readIncoming(
  delivery: SmppDelivery,
  { defaultCharset }: Pick<SmppSettings, 'defaultCharset'>,
): IncomingEvent | IncomingPartEvent {
  const { body, tlvs } = delivery
  const userData = deliveryOctets(delivery)
  const header = (body.esm_class & headerIndicator) === 0 ? null : readHeader(userData)
  const { locking, single } = header ?? noShifts
  const octets = header === null ? userData : header.rest
  const dataCoding = body.data_coding
  const whole = {
    from: readAddress(body.source_addr, body.source_addr_ton),
    to: readAddress(body.destination_addr, body.dest_addr_ton),
    protocolId: 'protocol_id' in body ? body.protocol_id : 0,
  }

  const place = placeIn(header, tlvs)
  if (place !== null) {
    const content = { dataCoding, defaultCharset, locking, single, octets: octets.toHex() }
    return { kind: 'INCOMING_PART', ...whole, ...place, content }
  }
  const part = { dataCoding, shifts: { locking, single }, octets }
  const { encoding, body: text, messageClass } = decodeMessage([part], defaultCharset)
  return {
    kind: 'INCOMING',
    ...whole,
    body: text,
    encoding,
    messageClass: messageClass ?? defaultClass,
    numberOfParts: 1,
    repliesTo: null,
  }
}

const headerIndicator = 0x40

/** Class that a handset assumes by default. */
const defaultClass = 1

type Place = Pick<IncomingPartEvent, 'reference' | 'total' | 'part'>

/**
 * Returns message reference and part number from the header or the TLVs; null for a single-part
 * message.
 */
function placeIn(header: UserDataHeader | null, tlvs: Tlvs): Place | null {
  const concatenation = header?.concatenation ?? null
  if (concatenation !== null) {
    const { reference, total, sequence, bits } = concatenation
    return total > 1 ? { reference: `udh${bits}-${reference}`, total, part: sequence } : null
  }
  const [high, low] = tlvs.get(tags.sarReference) ?? []
  const total = tlvs.get(tags.sarTotal)?.[0] ?? 0
  const part = tlvs.get(tags.sarPart)?.[0] ?? 0
  if (high === undefined || low === undefined) return null
  if (total < 2 || part < 1 || part > total) return null
  return { reference: `sar-${high * 256 + low}`, total, part }
}
