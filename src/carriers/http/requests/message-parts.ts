import type { OutgoingMessage } from '../../../core/ports/carrier.ts'
import { chooseEncoding, partEnds } from '../../../encoding/choose-encoding.ts'
import { encodeMessage } from '../../../encoding/encode-message.ts'
import type { HttpSettings } from '../settings.ts'

/** Content of one request for a message. */
export interface MessagePart {
  /** An identifier of the service for the request. */
  readonly id: string
  /** From 1. */
  readonly part: number
  readonly parts: number
  readonly body: string
  /** The same in all parts of a message; null of a message that goes in one request. */
  readonly reference: number | null
  /** The user data header (3GPP TS 23.040 section 9.2.3.24) in hex; null if there is none. */
  readonly header: string | null
}

/** Splits a message into the contents of its requests. Throws if a part cannot be encoded. */
export function messageParts(
  { body, encoding, numberOfParts }: OutgoingMessage,
  reference: number,
  { longMessages }: Pick<HttpSettings, 'longMessages'>,
  idOf: (part: number) => string,
): readonly MessagePart[] {
  if (longMessages === 'PROVIDER' || numberOfParts === 1) {
    return [{ id: idOf(1), part: 1, parts: 1, body, reference: null, header: null }]
  }
  // A provider writes the text again, so tables of national languages would not be those of the header.
  const form = chooseEncoding(body, { encoding, languages: [] })
  const { parts } = encodeMessage(body, form, { longMessages: 'UDH8', reference })
  const ends = partEnds(body, form, 'UDH8')
  return parts.map(({ header }, index) => ({
    id: idOf(index + 1),
    part: index + 1,
    parts: parts.length,
    body: body.slice(ends[index - 1] ?? 0, ends[index]),
    reference: reference & 0xff,
    header: header === null ? null : Buffer.from(header).toString('hex'),
  }))
}
