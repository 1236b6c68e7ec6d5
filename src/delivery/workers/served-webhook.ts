import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import type { Clock } from '../../core/ports/clock.ts'
import type { LogReader, LogPosition } from '../../core/ports/notification-log.ts'
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

/** What a node knows of a webhook that it serves: small, since there may be many that are idle. */
export interface ServedWebhook {
  readonly consumer: LeasedConsumer
  /** All up to here is done with; ahead of what is stored where nothing wanted was found. */
  position: LogPosition
  progress: WebhookProgress
  /** Nothing is sent before this, on the monotonic clock: a wall clock that jumps moves no retry. */
  dueAt: number
  /** The same for its first replay. */
  replayDueAt: number
  /** What its first replay selects, once it was read. */
  selection: Selection | null
  /** Until when a batch that is not full waits for more, on the monotonic clock. */
  fillUntil: number | null
  /** When its place last moved to the end without a delivery, and when it was last written: on the same clock. */
  movedAt: number
  writtenAt: number
  /** Attempts that succeeded and are not on record yet, the position is ahead by them. Few. */
  readonly unwritten: NewInstance[]
  /** How long the receiver took for the last attempt. Null where there was none. */
  answerMs: number | null
  /** As it is stored: the service disabled it, and no delivery succeeded since. */
  isAlarmed: boolean
  /** Something was appended to its account's log since it last read. */
  hasNews: boolean
  /** The webhook, and how many changes there had been when it was read. */
  read: ReadWebhook | null
}

/** No wait is longer, whatever time was written down: 24 h is the longest `Retry-After`. */
const waitMsMax = 24 * 3_600_000

/** What waits for nothing. */
export const atOnce = { nextAttemptAt: null, waitMs: 0 } as const

/** Begins to serve a webhook where it was left. */
export function servedWebhook(
  consumer: LeasedConsumer,
  log: LogReader,
  clock: Clock,
): ServedWebhook {
  const progress = readProgress(consumer.progress, (text) => log.parse(text))
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
 * The time on the monotonic clock at which the next attempt is due. It is never later than it was
 * when it was decided, wherever the wall clock was set since; that may lie before a restart.
 */
export function dueAt(
  { nextAttemptAt, waitMs }: Pick<WebhookProgress, 'nextAttemptAt' | 'waitMs'>,
  clock: Clock,
): number {
  if (nextAttemptAt === null) return 0
  const longestMs = waitMs > 0 ? Math.min(waitMs, waitMsMax) : waitMsMax
  return clock.monotonic() + Math.min(nextAttemptAt - clock.now(), longestMs)
}
