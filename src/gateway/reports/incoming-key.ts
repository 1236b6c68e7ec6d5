import { hash } from 'node:crypto'
import { incomingMessages, type IncomingMessage } from '../../collections/incoming-messages.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Reader, Stored, Writer } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'

/** Names a message from outside. A sender may use a reference again for a later message. */
export type IncomingKey = Pick<IncomingMessage, 'carrier' | 'from' | 'to' | 'reference' | 'total'>

/** Returns the stored parts of an incoming message; null if there are none. */
export async function findIncoming(
  writer: Writer,
  key: IncomingKey,
): Promise<IncomingMessage | null> {
  const stored = await writer.find(incomingMessages, { id: idOf(key) })
  return stored === null ? null : readIncoming(stored)
}

/**
 * Saves the parts of an incoming message. If two transactions save it at the same time, one runs again and
 * finds the result of the other.
 */
export async function saveIncoming(
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

function readIncoming({ doc }: Stored): IncomingMessage {
  return JSON.parse(doc) as IncomingMessage
}

function idOf({ carrier, from, to, reference, total }: IncomingKey): string {
  return hash('sha256', JSON.stringify([carrier, from, to, reference, total]), 'base64url')
}
