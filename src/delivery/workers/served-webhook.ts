import { webhooks } from '../../collections/webhooks.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { NewInstance, Stored } from '../../core/ports/store.ts'
import { targetOf, type WebhookTarget } from '../attempts/target.ts'
import { readProgress, type WebhookProgress } from '../progress/progress.ts'
import type { Selection } from '../progress/stored-replay.ts'
import type { WebhookSlot } from './concurrency-limiter.ts'
import type { DeliveryParts } from './delivery-parts.ts'

/** State of a webhook that this node serves: small, because many may be idle. */
export interface ServedWebhook {
  readonly consumer: LeasedConsumer
  /** Everything up to here is done; it may be ahead of the stored position by unwanted records. */
  position: LogPosition
  progress: WebhookProgress
  /** Nothing is sent before this, on the monotonic clock: a wall clock that jumps moves no retry. */
  dueAt: number
  /** The same for its first replay. */
  replayDueAt: number
  /** Selection of its first replay, once it was read. */
  selection: Selection | null
  /** Until when a batch that is not full waits for more, on the monotonic clock. */
  fillUntil: number | null
  /** When its place last moved to the end without a delivery, and when it was last written: on the same clock. */
  movedAt: number
  writtenAt: number
  /** Attempts that succeeded and are not on record yet, the position is ahead by them. Few. */
  readonly unwritten: NewInstance[]
  /** Response time of the last attempt; null before the first. */
  answerMs: number | null
  /** As it is stored: the service disabled it, and no delivery succeeded since. */
  isAlarmed: boolean
  /** Something was appended to its account's log since it last read. */
  hasNews: boolean
  /** The webhook, and how many changes there had been when it was read. */
  read: ReadWebhook | null
}

/** A webhook as it was read. */
interface ReadWebhook {
  readonly target: WebhookTarget
  readonly stored: Pick<Stored, 'doc' | 'hidden'>
  readonly changes: number
}

/** The context of one turn of a webhook, which has a slot and whose target was read. */
export interface DeliveryContext {
  readonly served: ServedWebhook
  readonly target: WebhookTarget
  readonly slot: WebhookSlot
  readonly parts: DeliveryParts
}

/** Next action of a webhook worker. Times are on the monotonic clock. */
export type NextAction =
  /** It has more to do, and lets others go first. */
  | { readonly kind: 'AGAIN' }
  /** Until something is appended to the log, or until then, if any. */
  | { readonly kind: 'IDLE'; readonly until: number | null }
  /** Until then, or until enough is appended. */
  | { readonly kind: 'FILLING'; readonly until: number }
  /** Waits until then, even if records are appended. */
  | { readonly kind: 'LATER'; readonly until: number }
  /** Until its owner changes it. */
  | { readonly kind: 'DORMANT' }
  /** This node no longer has the lease. */
  | { readonly kind: 'OVER' }

/** Maximum wait, even if the stored time is later: the longest `Retry-After` is 24 h. */
const waitMsMax = 24 * 3_600_000

/** No wait. */
export const atOnce = { nextAttemptAt: null, waitMs: 0 } as const

/** Restores the state of a webhook from its stored progress. */
export function servedWebhook(consumer: LeasedConsumer, clock: Clock): ServedWebhook {
  const progress = readProgress(consumer.progress)
  return {
    consumer,
    position: progress.from ?? consumer.position,
    progress: { ...progress, from: null },
    dueAt: dueAt(progress, clock),
    replayDueAt: dueAt(progress.replays[0]?.flow ?? atOnce, clock),
    selection: null,
    fillUntil: null,
    movedAt: -Infinity,
    writtenAt: clock.monotonic(),
    unwritten: [],
    answerMs: null,
    isAlarmed: progress.alarmedAt !== null,
    hasNews: true,
    read: null,
  }
}

/**
 * Returns the monotonic time of the next attempt. It is never later than decided, even if the wall
 * clock was set since, or the decision precedes a restart.
 */
export function dueAt(
  { nextAttemptAt, waitMs }: Pick<WebhookProgress, 'nextAttemptAt' | 'waitMs'>,
  clock: Clock,
): number {
  if (nextAttemptAt === null) return 0
  const longestMs = waitMs > 0 ? Math.min(waitMs, waitMsMax) : waitMsMax
  return clock.monotonic() + Math.min(nextAttemptAt - clock.now(), longestMs)
}

/** Returns the webhook's current target: the same object while unchanged; null if it was removed. */
export async function readTarget(
  served: ServedWebhook,
  parts: DeliveryParts,
): Promise<WebhookTarget | null> {
  const changes = parts.node.changes()
  const known = served.read
  if (known?.changes === changes) return known.target

  const { account, webhookId } = served.consumer
  const stored = await parts.store.read(account, (reader) =>
    reader.find(webhooks, { id: webhookId }),
  )
  if (stored === null) return null
  const isSame = known?.stored.doc === stored.doc && known.stored.hidden === stored.hidden
  const target = isSame ? known.target : targetOf(stored)
  served.read = { target, stored, changes }
  return target
}

/** Returns the reason to end a turn if the webhook changed since it began; null to continue. */
export async function haltAfterChange(context: DeliveryContext): Promise<NextAction | null> {
  const now = await readTarget(context.served, context.parts)
  if (now === null) return { kind: 'OVER' }
  if (!now.active) return { kind: 'DORMANT' }
  return now === context.target ? null : { kind: 'AGAIN' }
}

/** Returns true if no webhook changed since the target was read, without a query. */
export function isAsRead({ served, target, parts }: DeliveryContext): boolean {
  const { read } = served
  return read?.changes === parts.node.changes() && read.target === target
}

/**
 * Returns true if the next batch is among the stored planned ones. Otherwise the owner chose other
 * records, or another node continued, and this node missed it.
 */
export async function isStillStored({ served, parts }: DeliveryContext): Promise<boolean> {
  const { consumer, progress } = served
  const { account, webhookId } = consumer
  const found = await parts.store.read(account, (reader) => reader.findConsumer(account, webhookId))
  if (found === null) return false
  const { batch, ahead } = readProgress(found.progress)
  return [batch, ...ahead].some((stored) => stored?.id === progress.batch?.id)
}

/** Alternating share of time for new records and for replays, in milliseconds. */
export const shareMs = 20

/**
 * Returns true if a replay of a webhook is due. Replays wait while new records fail: a receiver in
 * trouble must not get twice the requests.
 */
export function mayReplay(served: ServedWebhook, clock: Clock): boolean {
  const { replays, failingSince, disabled } = served.progress
  if (replays.length === 0 || failingSince !== null || disabled !== null) return false
  return served.replayDueAt <= clock.monotonic()
}

/** Returns true if this node may start a request: it holds its leases and is not stopping. */
export function mayBegin({ node }: Pick<DeliveryParts, 'node'>): boolean {
  return node.holdsLeases() && !node.stopping.aborted
}
