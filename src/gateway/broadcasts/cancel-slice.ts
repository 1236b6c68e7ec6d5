import type { Instant } from '../../core/ports/clock.ts'
import { where, type Stored } from '../../core/ports/store.ts'
import { broadcastMessages } from '../../collections/broadcasts.ts'
import { messages } from '../../collections/messages.ts'
import { refund } from '../credits/credits.ts'
import { readMessage, saveMessage, advance } from '../messages/stored-message.ts'
import { saveProgress, type Job } from './job.ts'

/** The most messages that one transaction checks. */
const sliceMax = 200

/** The interval of checking messages in flight again. */
const lookMs = 2000

/**
 * Cancels waiting messages of a broadcast. A message in flight may be postponed, so it is checked
 * again until it has an outcome. Returns when to continue, or null if all is done.
 */
export async function cancelSlice(job: Job): Promise<Instant | null> {
  const { place, writer, broadcast, now } = job
  const [held, isWalking] = [place.held ?? [], place.held === undefined || place.after !== null]
  if (!isWalking) {
    const again: string[] = []
    for (const id of held) {
      const stored = await writer.find(messages, { id })
      if (stored !== null && (await cancelOne(job, stored)) === 'HELD') again.push(id)
    }
    await saveProgress(job, { place: { ...place, held: again } })
    return again.length === 0 ? null : now + lookMs
  }

  const all = where([], sliceMax)
  const start = place.after === null ? all.start : { after: [place.after] }
  const members = { entries: broadcastMessages, parent: broadcast.id }
  const page = await writer.list(messages, null, { ...all, start, members })
  const more: string[] = []
  for (const stored of page) if ((await cancelOne(job, stored)) === 'HELD') more.push(stored.id)
  const isLast = page.length < sliceMax
  const after = isLast ? null : (page.at(-1)?.id ?? null)
  const left = [...held, ...more]
  await saveProgress(job, { place: { ...place, after, held: left } })
  if (!isLast) return now
  return left.length === 0 ? null : now + lookMs
}

/** Cancels a message. HELD: it is in flight. */
async function cancelOne(
  { writer, transaction, newId, now }: Job,
  stored: Stored,
): Promise<'DONE' | 'HELD'> {
  const kept = readMessage(stored)
  const { id, status } = kept.message
  if (status.type !== 'ACCEPTED' && status.type !== 'SCHEDULED') return 'DONE'
  if ((await writer.dequeue(id)) === null) return 'HELD'
  const message = advance(kept.message, { type: 'CANCELLED', detail: null }, now)
  if (message === null) return 'DONE'
  await refund(kept.message, { account: writer.account, transaction, newId, at: now })
  await saveMessage({ transaction, writer }, { ...kept, message }, [message], now)
  return 'DONE'
}
