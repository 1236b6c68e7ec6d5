import type { Instant } from '../../core/ports/clock.ts'
import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { Random } from '../../core/ports/random.ts'
import { explain, type Outcome } from '../egress/post.ts'
import type { OpenBatch, WebhookProgress } from '../progress/progress.ts'
import { exhaustedAfterMs, retentionMs, retryAfterMs, waitMs, type Schedule } from './schedule.ts'

/** Settings of a settlement. */
export interface SettleSettings {
  readonly schedule: Schedule
  readonly maxBatch: number
}

/** Action after an attempt. */
export type Action =
  /** The batch is acknowledged: the cursor moves to its end. */
  | { readonly kind: 'ADVANCE'; readonly to: LogPosition }
  /** Its only record becomes a dead letter, and the cursor moves over it. */
  | { readonly kind: 'SET_ASIDE'; readonly to: LogPosition }
  /** A smaller batch with a new identifier replaces it. */
  | { readonly kind: 'HALVE' }
  | { readonly kind: 'RETRY'; readonly at: Instant }
  | { readonly kind: 'DISABLE'; readonly reason: string }

/** The progress after an attempt, and what to do. */
export interface Settlement {
  readonly progress: WebhookProgress
  readonly action: Action
}

/** Refusals after which a single record becomes a dead letter. */
export const refusalsMax = 5

/** 4xx that speak of the moment and not of the records: they are retried as they are. */
const passing: readonly number[] = [408, 429]

/** Decides what an attempt at the open batch makes of a webhook. Pure. */
export function settle(
  progress: WebhookProgress,
  batch: OpenBatch,
  outcome: Outcome,
  settings: SettleSettings,
  now: Instant,
  random: Random,
): Settlement {
  const settled = decide({ progress, batch, outcome, settings, now, random })
  const { nextAttemptAt } = settled.progress
  const waitMs = nextAttemptAt === null ? 0 : nextAttemptAt - now
  if (settled.progress.waitMs === waitMs) return settled
  return { ...settled, progress: { ...settled.progress, waitMs } }
}

function decide(attempt: Attempt): Settlement {
  const { outcome } = attempt
  switch (outcome.kind) {
    case 'ACCEPTED':
      return accepted(attempt)
    case 'GONE':
      return disabled(attempt, 'The receiver answered 410: it is gone for good.')
    case 'REFUSED':
      return isForRecords(outcome.status) ? refused(attempt) : retried(attempt)
    case 'UNREACHABLE':
    case 'TIMEOUT':
    case 'BLOCKED':
      return retried(attempt)
  }
}

interface Attempt {
  readonly progress: WebhookProgress
  readonly batch: OpenBatch
  readonly outcome: Outcome
  readonly settings: SettleSettings
  readonly now: Instant
  readonly random: Random
}

function isForRecords(status: number): boolean {
  return status >= 400 && status < 500 && !passing.includes(status)
}

function accepted({ progress, batch, settings, now }: Attempt): Settlement {
  const suspects = Math.max(progress.suspects - batch.count, 0)
  return {
    action: { kind: 'ADVANCE', to: batch.end },
    progress: {
      ...progress,
      batch: null,
      nextAttemptAt: null,
      step: 0,
      setAside: 0,
      suspects,
      limit: suspects > 0 ? half(suspects) : grown(progress.limit, settings.maxBatch),
      failingSince: null,
      lastSuccessAt: now,
      alarmedAt: null,
      error: null,
      trimmedAt: isOld(progress.trimmedAt, now) ? null : progress.trimmedAt,
    },
  }
}

/** The receiver finds fault with what the batch holds: look for the record, and give up that one alone. */
function refused(attempt: Attempt): Settlement {
  const refusals = attempt.batch.refusals + 1
  if (attempt.batch.count > 1) return halved(attempt)
  if (refusals < refusalsMax) {
    return retried({ ...attempt, batch: { ...attempt.batch, refusals } })
  }
  return setAside(attempt)
}

function halved(attempt: Attempt): Settlement {
  const { batch, now } = attempt
  if (isExhausted(attempt)) return exhausted(attempt)

  const askedMs = askedWaitMs(attempt)
  return {
    action: { kind: 'HALVE' },
    progress: {
      ...failed(attempt),
      batch: null,
      ahead: [],
      nextAttemptAt: askedMs === null ? null : now + askedMs,
      suspects: batch.count,
      limit: half(batch.count),
    },
  }
}

function setAside(attempt: Attempt): Settlement {
  const { progress, batch, settings } = attempt
  if (isExhausted(attempt)) return exhausted(attempt)

  const inARow = progress.setAside + 1
  return {
    action: { kind: 'SET_ASIDE', to: batch.end },
    progress: {
      ...failed(attempt),
      batch: null,
      nextAttemptAt: null,
      suspects: 0,
      limit: grown(progress.limit, settings.maxBatch),
      setAside: inARow,
      // A receiver that refuses one record after another refuses all: growing waits keep the number
      // of dead
      // letters small until somebody fixes it.
      step: inARow,
    },
  }
}

function retried(attempt: Attempt): Settlement {
  const { progress, batch, settings, now, random } = attempt
  if (isExhausted(attempt)) return exhausted(attempt)

  const failing = failed(attempt)
  const askedMs = askedWaitMs(attempt)
  // The last attempt is made when the time is over, not one step of the schedule later.
  const planned = now + waitMs(settings.schedule, progress.step, random)
  const at = askedMs === null ? Math.min(planned, exhaustedAt(failing, now)) : now + askedMs
  return {
    action: { kind: 'RETRY', at },
    progress: {
      ...failing,
      batch: { ...batch, attempts: batch.attempts + 1 },
      nextAttemptAt: at,
      step: progress.step + 1,
    },
  }
}

function exhausted(attempt: Attempt): Settlement {
  return disabled(attempt, `No delivery succeeded for 3 days. ${explain(attempt.outcome) ?? ''}`)
}

function disabled({ progress, batch, outcome, now }: Attempt, reason: string): Settlement {
  return {
    action: { kind: 'DISABLE', reason },
    progress: {
      ...progress,
      batch: { ...batch, attempts: batch.attempts + 1 },
      nextAttemptAt: null,
      error: explain(outcome),
      disabled: reason,
      alarmedAt: now,
    },
  }
}

function failed({ progress, outcome, now }: Attempt): WebhookProgress {
  return { ...progress, failingSince: progress.failingSince ?? now, error: explain(outcome) }
}

function askedWaitMs({ outcome, now }: Attempt): number | null {
  return outcome.kind === 'REFUSED' ? retryAfterMs(outcome.retryAfter, now) : null
}

function isExhausted({ progress, now }: Attempt): boolean {
  return progress.failingSince !== null && now >= exhaustedAt(progress, now)
}

function exhaustedAt(progress: WebhookProgress, now: Instant): Instant {
  return (progress.failingSince ?? now) + exhaustedAfterMs
}

/** Returns true if a loss is older than the retention: it is no longer reported. */
function isOld(trimmedAt: Instant | null, now: Instant): boolean {
  return trimmedAt !== null && now - trimmedAt > retentionMs
}

function half(count: number): number {
  return Math.max(Math.floor(count / 2), 1)
}

/** Twice as many with each success, until the webhook's own limit is reached. */
function grown(limit: number | null, maxBatch: number): number | null {
  return limit === null || limit * 2 >= maxBatch ? null : limit * 2
}
