import type { IncomingPartEvent } from '../../core/ports/carrier.ts'
import type { IncomingKey, KeptPart } from '../../core/ports/incoming-parts.ts'
import { sameJson } from '../../core/json.ts'
import { decodeMessage } from '../../encoding/decode-message.ts'
import { storeIncoming, type Arrival } from './incoming.ts'

/** The time to wait for the parts of a message, from the first part. */
export const partsWaitMs = 30 * 60_000

/**
 * The time for which repeated parts of a stored message are recognized: an SMSC repeats a part
 * without a response.
 */
const knownAgainMs = 10 * 60_000

/** The default message class. */
const defaultClass = 1

/**
 * Stores a part of a message. The last part creates the message, in any order; a repeated part
 * changes nothing. A different part with the same number begins a later message with the same
 * reference: the parts of the earlier one become a message.
 */
export async function storePart(arrival: Arrival, event: IncomingPartEvent): Promise<void> {
  const { transaction, at } = arrival
  const { incomingParts } = transaction
  const part = keptPart(arrival, event)
  const before = await incomingParts.of(part)
  const same = before.find((each) => each.part === part.part)
  if (same !== undefined && sameContent(same, part)) return

  const isJoined = before.some(({ joined }) => joined)
  const beginsAnew = isJoined || same !== undefined
  if (beginsAnew && !isJoined) await makeIncomplete(arrival, part, before)
  if (beginsAnew) await incomingParts.forget(part)

  const others = beginsAnew ? [] : before
  const expiresAt = others[0]?.expiresAt ?? at + partsWaitMs
  await incomingParts.keep({ ...part, expiresAt })
  if (others.length + 1 < part.total) return
  await makeMessage(arrival, [...others, part], null)
  await incomingParts.join(part, at + knownAgainMs)
}

/** Stores the parts that arrived in time as an incomplete message. */
export async function storeIncomplete(arrival: Arrival, key: IncomingKey): Promise<void> {
  const { incomingParts } = arrival.transaction
  const parts = await incomingParts.of(key)
  // The last part may have arrived, or another node may have stored them.
  if (parts.some(({ joined }) => joined)) return
  await makeIncomplete(arrival, key, parts)
  await incomingParts.join(key, arrival.at + knownAgainMs)
}

async function makeIncomplete(
  arrival: Arrival,
  { carrier }: IncomingKey,
  parts: readonly KeptPart[],
): Promise<void> {
  if (parts.length > 0) await makeMessage({ ...arrival, carrier }, parts, 'INCOMPLETE')
}

async function makeMessage(
  arrival: Arrival,
  parts: readonly KeptPart[],
  detail: 'INCOMPLETE' | null,
): Promise<void> {
  const ordered = parts.toSorted((a, b) => a.part - b.part)
  const [first] = ordered
  if (first === undefined) return
  const { from, to, protocolId, total, content } = first
  const { body, encoding, messageClass } = decodeMessage(
    ordered.map(({ content: { dataCoding, locking, single, octets } }) => ({
      dataCoding,
      shifts: { locking, single },
      octets: Uint8Array.fromHex(octets),
    })),
    content.defaultCharset,
  )
  const message = { from, to, body, encoding, protocolId, numberOfParts: total, repliesTo: null }
  const event = {
    kind: 'INCOMING',
    ...message,
    messageClass: messageClass ?? defaultClass,
  } as const
  await storeIncoming(arrival, event, detail)
}

function keptPart({ carrier, at }: Arrival, event: IncomingPartEvent): KeptPart {
  const { from, to, reference, total, part, protocolId, content } = event
  const key = { carrier, from, to, reference, total }
  return { ...key, part, protocolId, content, joined: false, expiresAt: at + partsWaitMs }
}

function sameContent(a: KeptPart, b: KeptPart): boolean {
  return a.protocolId === b.protocolId && sameJson({ ...a.content }, { ...b.content })
}
