import type { SmppDelivery } from '../session/link.ts'
import { tags } from './pdu.ts'

/** The octets that a delivery carries: `short_message`, or `message_payload` where that is empty. */
export function deliveryOctets({ body, tlvs }: SmppDelivery): Uint8Array {
  const short = 'short_message' in body ? body.short_message : noOctets
  return short.length > 0 ? short : (tlvs.get(tags.messagePayload) ?? noOctets)
}

const noOctets = new Uint8Array(0)
