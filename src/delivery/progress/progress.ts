import type { Instant } from '../../core/ports/clock.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { type LogPosition, parsePosition } from '../../core/ports/notification-log.ts'

/** A batch whose boundaries and identifier are committed, so that it is the same whenever it is sent. */
export interface PlannedBatch {
  /** The `webhook-id`. */
  readonly id: string
  /**
   * Position of its last record. It starts after the previous batch, the first one after the
   * cursor.
   */
  readonly end: LogPosition
  readonly count: number
}

/** The batch that is sent next: as it is, until it is done with. */
export interface OpenBatch extends PlannedBatch {
  readonly attempts: number
  /** Refusals of its only record. */
  readonly refusals: number
}

/** State of a webhook between attempts; stored as JSON text with its cursor. */
export interface WebhookProgress {
  readonly batch: OpenBatch | null
  /** Following batches, in order. Some may have been acknowledged since this was stored. */
  readonly ahead: readonly PlannedBatch[]
  /** Earliest time of the next attempt; null means immediately. */
  readonly nextAttemptAt: Instant | null
  /** Length of that wait when it was decided: a wall clock set back must not prolong it. */
  readonly waitMs: number
  /** The step of the schedule that the next failure takes, from 0. */
  readonly step: number
  /** Dead letters since the last success. */
  readonly setAside: number
  /** Number of records after the cursor that contain at least one refused record; 0: none. */
  readonly suspects: number
  /** The most records in the next batch, while it grows back. Null: as the webhook says. */
  readonly limit: number | null
  /** The first failure since the last success. */
  readonly failingSince: Instant | null
  readonly lastSuccessAt: Instant | null
  /** Why the last attempt failed. */
  readonly error: string | null
  /** Reason why nothing is sent, until the owner activates the webhook again. */
  readonly disabled: string | null
  /** When the service disabled it, until a delivery succeeds again. */
  readonly alarmedAt: Instant | null
  /** Last time when retention removed undelivered notifications. */
  readonly trimmedAt: Instant | null
  /** Position to read from, in place of the cursor. */
  readonly from: LogPosition | null
  /** Replays, the first one first. Few. */
  readonly replays: readonly ReplayProgress[]
}

/** State of a replay between attempts; stored in its webhook's progress. */
export interface ReplayProgress {
  readonly id: string
  /** All that it selects up to here is done with. Null: it has not begun. */
  readonly position: LogPosition | null
  /** End of the range. Later records are delivered as new ones. */
  readonly end: LogPosition
  /** Number of acknowledged records. */
  readonly sent: number
  readonly setAside: number
  /** When the last record that it is done with had happened. */
  readonly reached: Instant | null
  /** Progress of its deliveries, apart from those of new records. */
  readonly flow: WebhookProgress
}

/** The progress of a webhook that was never sent anything. */
export const initialProgress: WebhookProgress = {
  batch: null,
  ahead: [],
  nextAttemptAt: null,
  waitMs: 0,
  step: 0,
  setAside: 0,
  suspects: 0,
  limit: null,
  failingSince: null,
  lastSuccessAt: null,
  error: null,
  disabled: null,
  alarmedAt: null,
  trimmedAt: null,
  from: null,
  replays: [],
}

/** Opens the next planned batch if none is open. */
export function opened(progress: WebhookProgress): WebhookProgress {
  const [next] = progress.ahead
  if (progress.batch !== null || next === undefined) return progress
  const { id, end, count } = next
  const batch = { id, end, count, attempts: 0, refusals: 0 }
  return { ...progress, batch, ahead: progress.ahead.slice(1) }
}

/**
 * Encodes a progress for the store. Planned batches use a short form, because they are many and
 * stored often.
 */
export function progressText(progress: WebhookProgress): string {
  const ahead = progress.ahead.map(({ id, count, end }) => `${id} ${count} ${end}`)
  const replays = progress.replays.map(replayJson)
  return JSON.stringify({ ...progress, ahead, replays })
}

/** Encodes a replay for the store, without values that equal the initial ones: it is stored often. */
function replayJson({
  id,
  position,
  end,
  sent,
  setAside,
  reached,
  flow,
}: ReplayProgress): JsonObject {
  const changed = Object.entries(flow).filter(([name, value]) => initialValues.get(name) !== value)
  return { id, position, end, sent, setAside, reached, flow: Object.fromEntries(changed) }
}

const initialValues: ReadonlyMap<string, unknown> = new Map(Object.entries(initialProgress))

/**
 * Reads a progress back. What an older or a newer form lacks or has in another shape becomes what it is
 * at first: at worst a batch is sent again under a new identifier.
 */
export function readProgress(text: string): WebhookProgress {
  const kept = parseObject(text)
  const batch = batchOf(kept['batch'])
  return {
    batch,
    ahead: batch === null ? [] : aheadOf(kept['ahead']),
    nextAttemptAt: numberOf(kept['nextAttemptAt']),
    waitMs: countOf(kept['waitMs']),
    step: countOf(kept['step']),
    setAside: countOf(kept['setAside']),
    suspects: countOf(kept['suspects']),
    limit: countOf(kept['limit']) || null,
    failingSince: numberOf(kept['failingSince']),
    lastSuccessAt: numberOf(kept['lastSuccessAt']),
    error: textOf(kept['error']),
    disabled: textOf(kept['disabled']),
    alarmedAt: numberOf(kept['alarmedAt']),
    trimmedAt: numberOf(kept['trimmedAt']),
    from: placeOf(kept['from']),
    replays: readReplays(kept['replays'], readProgress),
  }
}

/** Reads replays back; `readFlow` reads the text of a progress. */
export function readReplays<Flow>(
  value: JsonValue | undefined,
  readFlow: (text: string) => Flow,
): readonly (Omit<ReplayProgress, 'flow'> & { readonly flow: Flow })[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((kept: JsonValue) => {
    if (!isJsonObject(kept)) return []
    const { id, position, end, sent, setAside, reached, flow = {} } = kept
    const last = typeof end === 'string' ? parsePosition(end) : null
    if (typeof id !== 'string' || last === null) return []
    return {
      id,
      position: typeof position === 'string' ? parsePosition(position) : null,
      end: last,
      sent: typeof sent === 'number' ? sent : 0,
      setAside: typeof setAside === 'number' ? setAside : 0,
      reached: typeof reached === 'number' ? reached : null,
      flow: readFlow(JSON.stringify(flow)),
    }
  })
}

function batchOf(value: JsonValue | undefined): OpenBatch | null {
  if (!isJsonObject(value)) return null
  const id = textOf(value['id'])
  const end = placeOf(value['end'])
  const count = countOf(value['count'])
  if (id === null || end === null || count === 0) return null
  return {
    id,
    end,
    count,
    attempts: countOf(value['attempts']),
    refusals: countOf(value['refusals']),
  }
}

/** As far as they can be read: each begins where the one before it ends. */
function aheadOf(value: JsonValue | undefined): readonly PlannedBatch[] {
  if (!Array.isArray(value)) return []
  const planned: PlannedBatch[] = []
  for (const item of value) {
    const [, id = '', count = '', end = ''] = aheadForm.exec(String(item)) ?? []
    const position = parsePosition(end)
    if (position === null || Number(count) === 0) break
    planned.push({ id, end: position, count: Number(count) })
  }
  return planned
}

/** Identifier, count and end of a batch that is planned ahead. */
const aheadForm = /^(\S+) (\d{1,9}) (.+)$/

function parseObject(text: string): JsonObject {
  try {
    const value: JsonValue = JSON.parse(text)
    return isJsonObject(value) ? value : {}
  } catch {
    return {}
  }
}

function placeOf(value: JsonValue | undefined): LogPosition | null {
  return typeof value === 'string' ? parsePosition(value) : null
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null
}

function numberOf(value: JsonValue | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0
}

/** Returns the progress without the wait that is over: the wall clock must not prolong it. */
export function waited(progress: WebhookProgress): WebhookProgress {
  return progress.nextAttemptAt === null ? progress : { ...progress, nextAttemptAt: null }
}
