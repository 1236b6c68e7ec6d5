import type { AlertRecord } from '../../collections/alerts.ts'
import { deliveries } from '../../collections/deliveries.ts'
import { webhooks } from '../../collections/webhooks.ts'
import type { JsonObject } from '../../core/json.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import type { DeadLetter } from '../../core/ports/consumers.ts'
import type { AlertType, LogPosition } from '../../core/ports/notification-log.ts'
import {
  type NewInstance,
  StoreUnavailable,
  type Stored,
  type Transaction,
  type Writer,
} from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { type DeliveryContext, dueAt, type ServedWebhook } from '../workers/served-webhook.ts'
import { progressText, type WebhookProgress } from './progress.ts'
import { type ReplayChange, saveReplay } from './stored-replay.ts'
import { asWebhook } from './stored-webhook.ts'

/** Position and progress of a webhook, with the attempts since the last checkpoint. */
export interface Checkpoint {
  readonly position: LogPosition
  readonly progress: WebhookProgress
  readonly deliveries: readonly NewInstance[]
  /** New dead letters. */
  readonly setAside?: readonly DeadLetter[]
  /** Positions that a replay delivered: they are dead letters no longer. */
  readonly delivered?: readonly LogPosition[]
  /** State of a replay, if it changed. */
  readonly replay?: ReplayChange
}

/** Wait before a failed commit is retried, in milliseconds. */
const storeRetryMs = 1000

/** Commits a checkpoint like `commitProgress`, and continues from it. */
export async function writeProgress(
  context: DeliveryContext,
  reached: Checkpoint,
): Promise<boolean> {
  const isHeld = await commitProgress(context, reached)
  if (isHeld) {
    const { served, parts } = context
    served.position = reached.position
    served.progress = reached.progress
    served.dueAt = dueAt(reached.progress, parts.clock)
  }
  return isHeld
}

/**
 * Commits a checkpoint in one transaction: the cursor, the progress with the planned batches, the
 * attempts, and the webhook's state if it changed. Returns false if the lease is lost: then only
 * the attempts are stored, because they happened.
 */
export async function commitProgress(
  context: DeliveryContext,
  reached: Checkpoint,
): Promise<boolean> {
  const { served, target, parts } = context
  const state = stateOf(reached.progress, target.active)
  const alert = await dueAlert(context, reached)
  const isNews =
    alert !== null || state.state !== target.state || state.stateReason !== target.stateReason
  const isHeld = await persist(context, async (transaction) => {
    const { account, webhookId } = served.consumer
    const writer = transaction.in(account)
    const { position, progress, deliveries: made } = reached
    const advanced = { ...served.consumer, position, progress: progressText(progress) }
    const { setAside: added = [], delivered: removed = [], replay } = reached
    const holds = await transaction.consumers.advance(advanced, { added, removed })
    if (holds && replay !== undefined)
      await saveReplay(writer, webhookId, replay, parts.clock.now())

    const webhook = holds && !isNews ? null : await writer.find(webhooks, { id: webhookId })
    const exists = (holds && !isNews) || webhook !== null
    if (exists) await writer.add(deliveries, webhookId, made)
    if (!holds || webhook === null) return holds
    await saveState(writer, webhook, state, parts.clock.now())
    if (alert !== null) await recordAlert(writer, alert, webhook, state)
    return holds
  })

  if (isHeld) {
    served.writtenAt = parts.clock.monotonic()
    served.isAlarmed = reached.progress.alarmedAt !== null
  }
  if (isHeld && isNews && served.read !== null) {
    served.read = { ...served.read, target: { ...target, ...state } }
  }
  return isHeld
}

/** A commit that fails is tried again for as long as the lease holds: what the receiver said must not be lost. */
async function persist<T>(
  { served, parts }: DeliveryContext,
  work: (transaction: Transaction) => MaybePromise<T>,
): Promise<T> {
  const { store, clock, events, node } = parts
  for (;;) {
    try {
      const shard = store.shardOf(served.consumer.account)
      return await store.transact(work, 'TOGETHER', shard)
    } catch (error) {
      const isPassing = error instanceof StoreUnavailable && node.holdsLeases()
      if (!isPassing || node.aborting.aborted) throw error
      events.failed(served.consumer.webhookId, error)
      await wait(clock, storeRetryMs, node.aborting)
    }
  }
}

/** Minimum interval between commits of a cursor that only skips unwanted records, in milliseconds. */
const idleWriteMs = 60_000

/** Returns true if a checkpoint should be committed: it has attempts or progress, or the last commit is old. */
export function isWorthWriting(
  served: ServedWebhook,
  { position, progress, deliveries: made }: Checkpoint,
  clock: Clock,
): boolean {
  if (made.length > 0 || progress !== served.progress) return true
  return position !== served.position && clock.monotonic() - served.writtenAt > idleWriteMs
}

/** An alert that goes with the next commit: its identifier is drawn, its backlog counted. */
interface DueAlert extends Pick<AlertRecord, 'id' | 'lag'> {
  readonly type: AlertType
  readonly at: number
}

/**
 * Returns the alert to record with this checkpoint; null if there is none. Only the service's own
 * changes cause alerts, and their end; those of the owner do not.
 */
async function dueAlert(
  { served, target, parts }: DeliveryContext,
  { position, progress }: Checkpoint,
): Promise<DueAlert | null> {
  const { store, newId, clock, events } = parts
  const type =
    progress.disabled !== null && target.state !== 'DISABLED'
      ? 'WEBHOOK_DISABLED'
      : served.isAlarmed && progress.alarmedAt === null
        ? 'WEBHOOK_RECOVERED'
        : null
  if (type === null) return null

  const { account, webhookId } = served.consumer
  // Counted outside the transaction: a long backlog would hold up the other writers.
  const lag = await store.log.count(account, position, target.filter).catch((error: unknown) => {
    events.failed(webhookId, error)
    return null
  })
  return { id: newId('alert'), type, lag, at: clock.now() }
}

/** Appends the alert to the log, in the transaction that changes the webhook. */
async function recordAlert(
  writer: Writer,
  { id, type, lag, at }: DueAlert,
  webhook: Stored,
  { state, stateReason }: WebhookState,
): Promise<void> {
  const instance: JsonObject = JSON.parse(webhook.doc)
  const { name } = asWebhook(instance)
  const record: AlertRecord = {
    id,
    type,
    webhook: { id: webhook.id, name: name ?? null },
    state,
    stateReason,
    lag,
    date: timestamp(at),
  }
  const text = JSON.stringify(record)
  await writer.notify({ type, status: webhook.id, messageId: id, at, record: text })
}

/** Delivery state that a webhook shows. */
export interface WebhookState {
  readonly state: 'ACTIVE' | 'RETRYING' | 'DISABLED'
  readonly stateReason: string | null
}

/** The state that follows from the owner's wish and the progress. */
export function stateOf(progress: WebhookProgress, active: boolean): WebhookState {
  if (!active) return withReasons('DISABLED', 'It is set inactive.', progress)
  if (progress.disabled !== null) return withReasons('DISABLED', progress.disabled, progress)
  if (progress.failingSince !== null) return withReasons('RETRYING', progress.error, progress)
  return withReasons('ACTIVE', null, progress)
}

function withReasons(
  state: WebhookState['state'],
  reason: string | null,
  { trimmedAt }: WebhookProgress,
): WebhookState {
  const trimmed =
    trimmedAt === null
      ? null
      : `Undelivered notifications exceeded their retention, last on ${timestamp(trimmedAt)}.`
  const reasons = [reason, trimmed].filter((each) => each !== null)
  return { state, stateReason: reasons.length === 0 ? null : reasons.join(' ') }
}

/**
 * Saves the state of a webhook in this transaction: the other fields stay as its owner last set
 * them.
 */
export async function saveState(
  writer: Writer,
  webhook: Stored,
  state: WebhookState,
  now: Instant,
): Promise<void> {
  const instance: JsonObject = JSON.parse(webhook.doc)
  const hidden: JsonObject | null = webhook.hidden === null ? null : JSON.parse(webhook.hidden)
  if (instance['state'] === state.state && instance['stateReason'] === state.stateReason) return
  const changed = { ...instance, ...state, updatedAt: timestamp(now) }
  await writer.save(webhooks, { id: webhook.id }, changed, hidden)
}
