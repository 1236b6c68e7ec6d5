import type { Instant } from '../../core/ports/clock.ts'
import type { LogEntry } from '../../core/ports/notification-log.ts'
import type { NewInstance } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { explain, statusOf } from './outcome.ts'
import type { Posted } from '../egress/post.ts'
import type { OpenBatch } from '../progress/progress.ts'
import { refusalsMax, type Action } from './settle.ts'

/** An attempt that is over. */
export interface FinishedAttempt {
  readonly id: string
  /** The replay that it is part of, if any. */
  readonly replay: string | null
  readonly batch: OpenBatch
  readonly entries: readonly LogEntry[]
  readonly beganAt: Instant
  readonly durationMs: number
  readonly posted: Posted
  readonly action: Action
}

/** An attempt as an instance of the collection `deliveries`. */
export function deliveryRecord(attempt: FinishedAttempt, now: Instant): NewInstance {
  const { outcome, response } = attempt.posted
  return {
    id: attempt.id,
    batchId: attempt.batch.id,
    attempt: attempt.batch.attempts + 1,
    date: timestamp(attempt.beganAt),
    durationMs: Math.round(attempt.durationMs),
    outcome: outcome.kind,
    statusCode: statusOf(outcome),
    error: errorOf(attempt),
    response,
    messageIds: attempt.entries.map(({ messageId }) => messageId),
    test: false,
    replay: attempt.replay,
    createdAt: timestamp(now),
    updatedAt: timestamp(now),
  }
}

function errorOf({ posted, action }: FinishedAttempt): string | null {
  const error = explain(posted.outcome)
  return action.kind === 'SET_ASIDE'
    ? `${error ?? ''} The record was set aside after ${refusalsMax} refusals.`
    : error
}
