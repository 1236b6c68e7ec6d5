import { hash } from 'node:crypto'
import { accountId, type AccountId } from '../../core/account.ts'
import { sameJson } from '../../core/json.ts'
import type { IncomingEvent, IncomingPartEvent } from '../../core/ports/carrier.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Reader, Stored, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import {
  incomingMessages,
  type ArrivedPart,
  type IncomingMessage,
} from '../../collections/incoming-messages.ts'
import { decodeMessage } from '../../encoding/decode-message.ts'
import { ownersOf, storeReceived, type Arrival, type Owners } from './received-message.ts'

/** Stores a message from outside for the account that it belongs to, unless its carrier repeats it. */
export async function storeIncoming(arrival: Arrival, event: IncomingEvent): Promise<void> {
  const owners = await ownersOf(arrival.transaction, event, arrival.at)
  if (await isRepetition(arrival, owners.account, event)) return
  await storeReceived(arrival, owners, event, null)
}

/**
 * The time for which a message is recognized by its carrier's identifier: carriers repeat for a
 * day.
 */
const knownIdMs = 24 * 3_600_000

/** Returns whether a message came before, by its carrier's identifier. Remembers a new one. */
async function isRepetition(
  { transaction, carrier, at }: Arrival,
  account: AccountId,
  { from, to, carrierMessageId = null }: IncomingEvent,
): Promise<boolean> {
  if (carrierMessageId === null) return false
  const writer = transaction.in(account)
  // Zero parts, so that it never equals a message in parts.
  const key = { carrier, from, to, reference: `id:${carrierMessageId}`, total: 0 }
  const known = await findIncoming(writer, key)
  if ((known?.expiresAt ?? at) > at) return true
  await saveIncoming(writer, key, { parts: [], waitsUntil: null, expiresAt: at + knownIdMs }, at)
  return false
}

/** The time to wait for the parts of a message, from the first part. */
const partsWaitMs = 30 * 60_000

/**
 * The time for which repeated parts of a stored message are recognized: an SMSC repeats a part
 * without a response.
 */
const knownPartsMs = 10 * 60_000

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

/**
 * Returns the messages whose parts are no longer waited for at `now`, the oldest first and at most
 * `limit`, and the time at which the next one is.
 */
export async function overdueIncoming(
  everywhere: Reader,
  now: Instant,
  limit: number,
): Promise<{ readonly overdue: readonly IncomingMessage[]; readonly nextAt: Instant | null }> {
  const waiting = { path: ['waitsUntil'], operator: 'gte', values: [0] } as const
  const sort = ['waitsUntil', 'id'].map((field) => ({ path: [field], direction: 'asc' }) as const)
  const start = { offset: 0 }
  const query = { conditions: [waiting], searchTerms: [], sort, start, limit: limit + 1 }
  const found = (await everywhere.list(incomingMessages, null, query)).map(readIncoming)
  const overdue = found.slice(0, limit).filter(({ waitsUntil }) => (waitsUntil ?? now) <= now)
  return { overdue, nextAt: found[overdue.length]?.waitsUntil ?? null }
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
  return { waitsUntil: null, expiresAt: at + knownPartsMs }
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

/** Names a message from outside. A sender may use a reference again for a later message. */
type IncomingKey = Pick<IncomingMessage, 'carrier' | 'from' | 'to' | 'reference' | 'total'>

/** Returns the stored parts of an incoming message; null if there are none. */
async function findIncoming(writer: Writer, key: IncomingKey): Promise<IncomingMessage | null> {
  const stored = await writer.find(incomingMessages, { id: idOf(key) })
  return stored === null ? null : readIncoming(stored)
}

/**
 * Saves the parts of an incoming message. If two transactions save it at the same time, one runs again and
 * finds the result of the other.
 */
async function saveIncoming(
  writer: Writer,
  key: IncomingKey,
  known: Pick<IncomingMessage, 'parts' | 'waitsUntil' | 'expiresAt'>,
  at: Instant,
): Promise<void> {
  const { carrier, from, to, reference, total } = key
  const { parts, waitsUntil, expiresAt } = known
  const id = idOf(key)
  const date = timestamp(at)
  const named = { id, account: writer.account, carrier, from, to, reference, total }
  const content = parts.map((part) => ({ ...part, content: { ...part.content } }))
  const times = { waitsUntil, expiresAt, createdAt: date, updatedAt: date }
  await writer.save(incomingMessages, { id }, { ...named, parts: content, ...times }, null)
}

function readIncoming({ doc }: Stored): IncomingMessage {
  return JSON.parse(doc) as IncomingMessage
}

function idOf({ carrier, from, to, reference, total }: IncomingKey): string {
  return hash('sha256', JSON.stringify([carrier, from, to, reference, total]), 'base64url')
}
