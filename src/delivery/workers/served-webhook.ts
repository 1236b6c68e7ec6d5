import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { NewInstance, Stored } from '../../core/ports/store.ts'
import { readProgress, type WebhookProgress } from '../progress/progress.ts'
import type { Selection } from '../progress/stored-replay.ts'
import type { WebhookTarget } from '../attempts/target.ts'

/** A webhook as it was read. */
export interface ReadWebhook {
  readonly target: WebhookTarget
  readonly stored: Pick<Stored, 'doc' | 'hidden'>
  readonly changes: number
}

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
