import type { Instant } from '../../core/ports/clock.ts'
import type { Condition } from '../../core/declaration/query.ts'
import type { Reader } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { messages, type Message } from '../../collections/messages.ts'
import { readMessage } from './stored-message.ts'

/** The time after a message in which a reply counts as its answer: 7 days. */
const answerMsMax = 7 * 24 * 3_600_000

/** The number of recently changed messages searched for the one that was sent last. */
const candidatesMax = 50

/** The statuses of a message that was sent. */
const left = ['SENT', 'DELIVERED', 'FAILED', 'UNKNOWN'] as const

/**
 * Returns the identifier of the message that the account sent last between two addresses, within 7
 * days before `at`; null if there is none.
 */
export async function relatedMessage(
  reader: Reader,
  { from, to }: { readonly from: string; readonly to: string },
  at: Instant,
): Promise<string | null> {
  const since = timestamp(at - answerMsMax)
  const conditions: readonly Condition[] = [
    { path: ['to'], operator: 'eq', values: [to] },
    { path: ['from'], operator: 'eq', values: [from] },
    { path: ['type'], operator: 'eq', values: ['SENT'] },
    { path: ['status', 'type'], operator: 'eq', values: left },
    { path: ['updatedAt'], operator: 'gte', values: [since] },
  ]
  const candidates = await reader.list(messages, null, {
    conditions,
    searchTerms: [],
    sort: [
      { path: ['updatedAt'], direction: 'desc' },
      { path: ['id'], direction: 'desc' },
    ],
    start: { offset: 0 },
    limit: candidatesMax,
  })

  let latest: { id: string; sentAt: string } | null = null
  for (const candidate of candidates) {
    const { message } = readMessage(candidate)
    const sentAt = sentDate(message)
    if (sentAt === null || sentAt < since) continue
    if (latest === null || sentAt > latest.sentAt) latest = { id: message.id, sentAt }
  }
  return latest?.id ?? null
}

/** Returns when a message was sent; null if it failed before. */
function sentDate(message: Message): string | null {
  return message.history.find(({ status }) => status.startsWith('SENT.'))?.date ?? null
}
