import type { Position } from '../core/notification-log.ts'
import { findBatch, type Found, type LogPlace } from './batch.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { OpenBatch, Progress } from './progress.ts'
import type { Ready, Rest } from './rest.ts'
import { dueAt, type ServedWebhook } from './served-webhook.ts'
import type { Target } from './target.ts'
import type { Reached } from './write-progress.ts'

/** What comes next, and what is to be written before that. */
export interface Plan {
  readonly reached: Reached
  readonly next: Ready | Rest
}

/** Looks what there is to do behind a place: opens the next batch, waits, or rests. */
export async function planNext(
  served: ServedWebhook,
  target: Target,
  reached: Reached,
  parts: DeliveryParts,
): Promise<Plan> {
  const { progress } = reached
  if (progress.disabled !== null) return { reached, next: { kind: 'DORMANT' } }
  if (progress.nextAttemptAt !== null) {
    return { reached, next: { kind: 'LATER', until: dueAt(progress.nextAttemptAt, parts.clock) } }
  }

  const count = Math.min(progress.limit ?? target.maxBatch, target.maxBatch)
  const found = await look(served, target, reached.position, count, parts)
  if (found.entries.length === 0) {
    served.fillUntil = null
    const position = found.position
    return { reached: { ...reached, position, progress: calmed(progress) }, next: { kind: 'IDLE' } }
  }

  const until = fillUntil(served, target, found, parts)
  if (until > parts.clock.monotonic()) return { reached, next: { kind: 'FILLING', until } }
  served.fillUntil = null
  return opened(reached, found, parts)
}

/** Where to read on for a webhook. */
export function logPlace(served: ServedWebhook, target: Target, after: Position): LogPlace {
  return { account: served.consumer.account, after, filter: target.filter }
}

/** The place of a webhook that wants nothing of what is appended moves this often at most. */
const movesMs = 1000

/** Where nothing is found, the place moves to the end: what is there is not wanted. */
async function look(
  served: ServedWebhook,
  target: Target,
  after: Position,
  count: number,
  { store, clock }: DeliveryParts,
): Promise<Found & { readonly position: Position }> {
  const place = logPlace(served, target, after)
  served.hasNews = false
  const found = await findBatch(store.log, place, count)
  const isRecent = clock.monotonic() - served.movedAt < movesMs
  if (found.entries.length > 0 || isRecent) return { ...found, position: after }

  served.movedAt = clock.monotonic()
  // The end is asked for first: whatever is appended after it is found, or lies behind it.
  const end = await store.log.end()
  const late = await findBatch(store.log, place, count)
  return { ...late, position: late.entries.length > 0 ? after : end }
}

function fillUntil(
  served: ServedWebhook,
  { maxWaitMs }: Target,
  { entries, isFull }: Found,
  { clock }: DeliveryParts,
): number {
  if (isFull || maxWaitMs === 0) return 0
  const waitedMs = Math.max(clock.now() - (entries[0]?.at ?? 0), 0)
  served.fillUntil ??= clock.monotonic() + maxWaitMs - waitedMs
  return served.fillUntil
}

function opened(reached: Reached, { entries }: Found, { newId }: DeliveryParts): Plan {
  const end = entries.at(-1)?.position ?? reached.position
  const id = newId('batch')
  const batch: OpenBatch = { id, end, count: entries.length, attempts: 0, refusals: 0 }
  return {
    reached: { ...reached, progress: { ...reached.progress, batch } },
    next: { kind: 'READY', batch, entries },
  }
}

/** With nothing left to deliver nothing fails: what was set aside is no reason to be disabled later. */
function calmed(progress: Progress): Progress {
  if (progress.failingSince === null) return progress
  return { ...progress, failingSince: null, error: null, step: 0, setAside: 0 }
}
