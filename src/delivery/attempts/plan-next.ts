import type { AccountId } from '../../core/account.ts'
import type { NewId } from '../../core/id.ts'
import type {
  LogEntry,
  LogFilter,
  LogPosition,
  LogReader,
} from '../../core/ports/notification-log.ts'
import type { Checkpoint } from '../progress/write-progress.ts'
import { opened, type PlannedBatch, type WebhookProgress } from '../progress/progress.ts'
import {
  type DeliveryContext,
  dueAt,
  type NextAction,
  type ServedWebhook,
} from '../workers/served-webhook.ts'

/** Next action, and the checkpoint to commit before it. */
export interface BatchPlan {
  readonly reached: Checkpoint
  readonly next: Planned | NextAction
}

/** Planned batches, with the entries of each. */
interface Planned {
  readonly kind: 'PLANNED'
  readonly entries: readonly (readonly LogEntry[])[]
}

/** Batches found after the planned ones; they may be sent after a commit. */
export interface PlannedBatches {
  readonly batches: readonly PlannedBatch[]
  readonly entries: readonly (readonly LogEntry[])[]
}

/** Plans the next batches after a checkpoint, or returns the reason to wait. */
export async function planNext(context: DeliveryContext, reached: Checkpoint): Promise<BatchPlan> {
  const { served, parts } = context
  const { progress } = reached
  if (progress.disabled !== null) return { reached, next: { kind: 'DORMANT' } }
  if (progress.nextAttemptAt !== null) {
    return { reached, next: { kind: 'LATER', until: dueAt(progress, parts.clock) } }
  }

  const { found, position } = await look(context, reached)
  const [first] = found
  if (first === undefined) {
    served.fillUntil = null
    return {
      reached: { ...reached, position, progress: calmed(progress) },
      next: { kind: 'IDLE', until: null },
    }
  }

  const until = fillUntil(context, first)
  if (until > parts.clock.monotonic()) return { reached, next: { kind: 'FILLING', until } }
  served.fillUntil = null
  const { batches, entries } = planned(found, parts.newId)
  return {
    reached: { ...reached, progress: opened({ ...progress, ahead: batches }) },
    next: { kind: 'PLANNED', entries },
  }
}

/** Finds full batches after the planned ones: a batch that is not full may still grow. */
export async function planAhead(context: DeliveryContext): Promise<PlannedBatches> {
  const { served, target, parts } = context
  const { progress, position } = served
  const end = progress.ahead.at(-1)?.end ?? progress.batch?.end ?? position
  const place = logPlace(context, end)
  const depth = depthOf(served, progress)
  served.hasNews = false
  const found = await findBatches(parts.store.log, place, target.maxBatch, depth)
  return planned(
    found.filter(({ isFull }) => isFull),
    parts.newId,
  )
}

/** Returns the cursor for the next read of a webhook. */
export function logPlace({ served, target }: DeliveryContext, after: LogPosition): LogCursor {
  return { account: served.consumer.account, after, filter: target.filter }
}

/** Maximum planned batches: the stored progress stays small. */
const depthMax = 128

/** Sending time to plan ahead, in milliseconds: several times the interval between two commits. */
const aheadMs = 160

/** Assumed minimum time of a successful delivery, in milliseconds. */
const answerMsMin = 0.25

/**
 * Returns the number of batches to plan: as many as the receiver takes during some commits. It is
 * one while the receiver's speed is unknown, and during failures.
 */
export function depthOf({ answerMs }: ServedWebhook, progress: WebhookProgress): number {
  if (answerMs === null || !isSmooth(progress)) return 1
  const inTime = Math.floor(aheadMs / Math.max(answerMs, answerMsMin))
  return Math.min(Math.max(inTime, 1), depthMax)
}

/** Returns true without a failure and without a search for a refused record. */
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

/** Minimum interval between moves of a cursor that only skips unwanted records, in milliseconds. */
const movesMs = 1000

/** Reads the next batches. If it finds none, the cursor moves to the end, over unwanted records. */
async function look(
  context: DeliveryContext,
  { position, progress }: Checkpoint,
): Promise<{ readonly found: readonly FoundBatch[]; readonly position: LogPosition }> {
  const { served, target, parts } = context
  const { store, clock } = parts
  const place = logPlace(context, position)
  const count = Math.min(progress.limit ?? target.maxBatch, target.maxBatch)
  const depth = depthOf(served, progress)
  served.hasNews = false
  const found = await findBatches(store.log, place, count, depth)
  const isRecent = clock.monotonic() - served.movedAt < movesMs
  if (found.length > 0 || isRecent) return { found, position }

  served.movedAt = clock.monotonic()
  // Read the end first: a record appended later is found, or lies after the end.
  const end = await store.log.end(served.consumer.account)
  const late = await findBatches(store.log, place, count, depth)
  return { found: late, position: late.length > 0 ? position : end }
}

function fillUntil(
  { served, target, parts }: DeliveryContext,
  { entries, isFull }: FoundBatch,
): number {
  const { maxWaitMs } = target
  const { clock } = parts
  if (isFull || maxWaitMs === 0) return 0
  const waitedMs = Math.max(clock.now() - (entries[0]?.at ?? 0), 0)
  served.fillUntil ??= clock.monotonic() + maxWaitMs - waitedMs
  return served.fillUntil
}

/** Resets the failure of an idle webhook: dead letters alone must not disable it later. */
function calmed(progress: WebhookProgress): WebhookProgress {
  if (progress.failingSince === null) return progress
  return { ...progress, failingSince: null, error: null, step: 0, setAside: 0 }
}

/** The most octets of a body, one record excepted: receivers limit what they take. */
export const bodyBytesMax = 5 * 1024 * 1024

/** Records can be long: they are read in slices, until the body is full. */
const sliceMax = 100

/** Maximum read ahead after the first batch: it stays in memory. */
const aheadMax = { records: 1000, bytes: 512 * 1024 }

/** A reader's place in the log. */
export interface LogCursor {
  readonly account: AccountId
  readonly after: LogPosition
  readonly filter: LogFilter
}

/** Content of a next batch. */
export interface FoundBatch {
  readonly entries: readonly LogEntry[]
  /** True if no further record fits. */
  readonly isFull: boolean
}

/**
 * Reads up to `depth` consecutive batches of up to `count` entries that fit into one body. All are
 * full except possibly the first: a batch that is not full may still grow.
 */
export async function findBatches(
  log: Pick<LogReader, 'read'>,
  place: LogCursor,
  count: number,
  depth: number,
): Promise<readonly FoundBatch[]> {
  const found: FoundBatch[] = []
  const wanted = Math.max(count, Math.min(count * depth, aheadMax.records))
  let open: LogEntry[] = []
  let bodyBytes = 0
  let after = place.after
  const room = { records: wanted, bytes: Infinity }
  const close = (): void => {
    found.push({ entries: open, isFull: true })
    open = []
    bodyBytes = 0
    room.bytes = Math.min(room.bytes, aheadMax.bytes)
  }

  while (room.records > 0 && room.bytes > 0) {
    const asked = Math.min(room.records, sliceMax)
    const slice = await log.read(place.account, after, place.filter, asked)
    for (const entry of slice) {
      const bytes = Buffer.byteLength(entry.record) + ','.length
      if (open.length > 0 && '[]'.length + bodyBytes + bytes > bodyBytesMax) close()
      if (found.length === depth || (found.length > 0 && room.bytes <= 0)) return found
      open.push(entry)
      bodyBytes += bytes
      room.bytes -= bytes
      if (open.length === count) close()
    }
    after = slice.at(-1)?.position ?? after
    room.records -= slice.length
    if (slice.length < asked) break
  }
  return found.length > 0 || open.length === 0 ? found : [{ entries: open, isFull: false }]
}

/**
 * Reads planned batches again, as far as the log still holds them whole: after an incomplete one it
 * stops.
 */
export async function rereadBatches(
  log: Pick<LogReader, 'read'>,
  place: LogCursor,
  batches: readonly PlannedBatch[],
): Promise<readonly (readonly LogEntry[])[]> {
  const wanted = batches.reduce((sum, { count }) => sum + count, 0)
  const entries = await readEntries(log, place, wanted)
  const found: (readonly LogEntry[])[] = []
  let begin = 0
  for (const { count, end } of batches) {
    const own = entries.slice(begin, begin + count)
    if (own.length < count || own.at(-1)?.position !== end) return found
    found.push(own)
    begin += count
  }
  return found
}

async function readEntries(
  log: Pick<LogReader, 'read'>,
  { account, after, filter }: LogCursor,
  count: number,
): Promise<readonly LogEntry[]> {
  const entries: LogEntry[] = []
  while (entries.length < count) {
    const asked = Math.min(count - entries.length, sliceMax)
    const slice = await log.read(account, entries.at(-1)?.position ?? after, filter, asked)
    entries.push(...slice)
    if (slice.length < asked) break
  }
  return entries
}
