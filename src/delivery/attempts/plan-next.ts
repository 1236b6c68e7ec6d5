import type { NewId } from '../../core/id.ts'
import type { LogEntry, LogPosition } from '../../core/ports/notification-log.ts'
import { findBatches, type FoundBatch, type LogCursor } from './batch.ts'
import type { DeliveryParts } from '../workers/delivery-parts.ts'
import { opened, type PlannedBatch, type WebhookProgress } from '../progress/progress.ts'
import type { Planned, NextAction } from './next-action.ts'
import { dueAt, type ServedWebhook } from '../workers/served-webhook.ts'
import type { WebhookTarget } from './target.ts'
import type { Checkpoint } from '../progress/checkpoint.ts'

/** What comes next, and what is to be written before that. */
export interface BatchPlan {
  readonly reached: Checkpoint
  readonly next: Planned | NextAction
}

/** Batches found behind those that are planned; they may be sent once they are written down. */
export interface PlannedBatches {
  readonly batches: readonly PlannedBatch[]
  readonly entries: readonly (readonly LogEntry[])[]
}

/** Looks what there is to do behind a place: plans the next batches, waits, or rests. */
export async function planNext(
  served: ServedWebhook,
  target: WebhookTarget,
  reached: Checkpoint,
  parts: DeliveryParts,
): Promise<BatchPlan> {
  const { progress } = reached
  if (progress.disabled !== null) return { reached, next: { kind: 'DORMANT' } }
  if (progress.nextAttemptAt !== null) {
    return { reached, next: { kind: 'LATER', until: dueAt(progress, parts.clock) } }
  }

  const { found, position } = await look(served, target, reached, parts)
  const [first] = found
  if (first === undefined) {
    served.fillUntil = null
    return {
      reached: { ...reached, position, progress: calmed(progress) },
      next: { kind: 'IDLE', until: null },
    }
  }

  const until = fillUntil(served, target, first, parts)
  if (until > parts.clock.monotonic()) return { reached, next: { kind: 'FILLING', until } }
  served.fillUntil = null
  const { batches, entries } = planned(found, parts.newId)
  return {
    reached: { ...reached, progress: opened({ ...progress, ahead: batches }) },
    next: { kind: 'PLANNED', entries },
  }
}

/** Looks for full batches behind those that are planned: what is not full yet may still grow. */
export async function planAhead(
  served: ServedWebhook,
  target: WebhookTarget,
  { store, newId }: DeliveryParts,
): Promise<PlannedBatches> {
  const { progress, position } = served
  const end = progress.ahead.at(-1)?.end ?? progress.batch?.end ?? position
  const place = logPlace(served, target, end)
  served.hasNews = false
  const found = await findBatches(store.log, place, target.maxBatch, depthOf(served, progress))
  return planned(
    found.filter(({ isFull }) => isFull),
    newId,
  )
}

/** Where to read on for a webhook. */
export function logPlace(
  served: ServedWebhook,
  target: WebhookTarget,
  after: LogPosition,
): LogCursor {
  return { account: served.consumer.account, after, filter: target.filter }
}

/** Planned together at most: what is written down of a webhook stays small. */
const depthMax = 128

/** So much time of sending is planned ahead: several times as much as passes between two commits. */
const aheadMs = 160

/** Deliveries that succeed at once take this long at least. */
const answerMsMin = 0.25

/**
 * How many batches are planned together: as many as a receiver takes in the time of some commits.
 * One alone while it is not known, and while anything is amiss.
 */
export function depthOf({ answerMs }: ServedWebhook, progress: WebhookProgress): number {
  if (answerMs === null || !isSmooth(progress)) return 1
  const inTime = Math.floor(aheadMs / Math.max(answerMs, answerMsMin))
  return Math.min(Math.max(inTime, 1), depthMax)
}

/** Whether nothing is amiss: no failure, and no search for a record that is refused. */
export function isSmooth({ failingSince, limit, suspects, disabled }: WebhookProgress): boolean {
  return failingSince === null && limit === null && suspects === 0 && disabled === null
}

function planned(found: readonly FoundBatch[], newId: NewId): PlannedBatches {
  const batches = found.flatMap(({ entries }) => {
    const end = entries.at(-1)?.position
    return end === undefined ? [] : { id: newId('batch'), end, count: entries.length }
  })
  return { batches, entries: found.map(({ entries }) => entries) }
}

/** The place of a webhook that wants nothing of what is appended moves this often at most. */
const movesMs = 1000

/** Where nothing is found, the place moves to the end: what is there is not wanted. */
async function look(
  served: ServedWebhook,
  target: WebhookTarget,
  { position, progress }: Checkpoint,
  { store, clock }: DeliveryParts,
): Promise<{ readonly found: readonly FoundBatch[]; readonly position: LogPosition }> {
  const place = logPlace(served, target, position)
  const count = Math.min(progress.limit ?? target.maxBatch, target.maxBatch)
  const depth = depthOf(served, progress)
  served.hasNews = false
  const found = await findBatches(store.log, place, count, depth)
  const isRecent = clock.monotonic() - served.movedAt < movesMs
  if (found.length > 0 || isRecent) return { found, position }

  served.movedAt = clock.monotonic()
  // The end is asked for first: whatever is appended after it is found, or lies behind it.
  const end = await store.log.end()
  const late = await findBatches(store.log, place, count, depth)
  return { found: late, position: late.length > 0 ? position : end }
}

function fillUntil(
  served: ServedWebhook,
  { maxWaitMs }: WebhookTarget,
  { entries, isFull }: FoundBatch,
  { clock }: DeliveryParts,
): number {
  if (isFull || maxWaitMs === 0) return 0
  const waitedMs = Math.max(clock.now() - (entries[0]?.at ?? 0), 0)
  served.fillUntil ??= clock.monotonic() + maxWaitMs - waitedMs
  return served.fillUntil
}

/** With nothing left to deliver nothing fails: what was set aside is no reason to be disabled later. */
function calmed(progress: WebhookProgress): WebhookProgress {
  if (progress.failingSince === null) return progress
  return { ...progress, failingSince: null, error: null, step: 0, setAside: 0 }
}
