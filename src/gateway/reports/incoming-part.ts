import { accountId } from '../../core/account.ts'
import type { IncomingPartEvent } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import { sameJson } from '../../core/json.ts'
import { decodeMessage } from '../../encoding/decode-message.ts'
import type { ArrivedPart, IncomingMessage } from '../../collections/incoming-messages.ts'
import { ownersOf, storeReceived, type Arrival, type Owners } from './incoming.ts'
import { findIncoming, saveIncoming, type IncomingKey } from './incoming-key.ts'

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
  const { transaction, carrier, at } = arrival
  const { from, to, reference, total, part, protocolId, content } = event
  const key = { carrier, from, to, reference, total }
  const owners = await ownersOf(transaction, { to, repliesTo: null }, at)
  const writer = transaction.in(owners.account)
  const known = await findIncoming(writer, key)
  const arrived = { part, protocolId, content }
  const same = known?.parts.find((each) => each.part === part)
  if (same !== undefined && sameContent(same, arrived)) return

  const isJoined = known !== null && known.waitsUntil === null
  const beginsAnew = known === null || isJoined || same !== undefined
  if (known !== null && same !== undefined && !isJoined) {
    await makeMessage(arrival, owners, known, 'INCOMPLETE')
  }
  const parts = beginsAnew ? [arrived] : [...known.parts, arrived]
  if (parts.length < total) {
    const waitsUntil = (beginsAnew ? null : known.waitsUntil) ?? at + partsWaitMs
    await saveIncoming(writer, key, { parts, waitsUntil, expiresAt: null }, at)
    return
  }
  await makeMessage(arrival, owners, { ...key, parts }, null)
  await saveIncoming(writer, key, { parts, ...knownUntil(at) }, at)
}

/** Stores the parts that arrived in time as an incomplete message. */
export async function storeIncomplete(
  arrival: Omit<Arrival, 'carrier'>,
  overdue: IncomingMessage,
): Promise<void> {
  const { transaction, at } = arrival
  const { carrier, to } = overdue
  const account = accountId(overdue.account)
  const writer = transaction.in(account)
  const known = await findIncoming(writer, overdue)
  // The last part may have arrived, or another node may have stored them.
  if (known === null || known.waitsUntil === null) return
  const { bound } = await ownersOf(transaction, { to, repliesTo: null }, at)
  await makeMessage({ ...arrival, carrier }, { account, bound }, known, 'INCOMPLETE')
  await saveIncoming(writer, known, { parts: known.parts, ...knownUntil(at) }, at)
}

function knownUntil(at: Instant): Pick<IncomingMessage, 'waitsUntil' | 'expiresAt'> {
  return { waitsUntil: null, expiresAt: at + knownAgainMs }
}

async function makeMessage(
  arrival: Arrival,
  owners: Owners,
  { from, to, total, parts }: IncomingKey & Pick<IncomingMessage, 'parts'>,
  detail: 'INCOMPLETE' | null,
): Promise<void> {
  const ordered = parts.toSorted((a, b) => a.part - b.part)
  const [first] = ordered
  if (first === undefined) return
  const { protocolId, content } = first
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
  await storeReceived(arrival, owners, event, detail)
}

function sameContent(a: ArrivedPart, b: ArrivedPart): boolean {
  return a.protocolId === b.protocolId && sameJson({ ...a.content }, { ...b.content })
}
