import type { Log } from '../../core/ports/log.ts'
import { explain, type Outcome } from '../attempts/outcome.ts'
import type { OpenBatch } from '../progress/progress.ts'
import type { Action } from '../attempts/settle.ts'

/** What happens in deliveries that an operator wants to know: one helper for each. */
export interface DeliveryEvents {
  attempted(attempt: AttemptEvent): void
  /** The store could not be used, or a webhook could not be worked on; it is tried again. */
  failed(webhookId: string, error: unknown): void
  /** Leases could not be kept or taken; it is tried again. */
  leasesFailed(error: unknown): void
  /** The webhooks could not be counted for the metrics; it is tried again. */
  surveyFailed(error: unknown): void
}

/** An attempt and what was made of it. */
export interface AttemptEvent {
  readonly webhookId: string
  /** The replay that it is part of, if any. */
  readonly replay: string | null
  /** Whether the attempt before it failed. */
  readonly isRetrying: boolean
  readonly batch: OpenBatch
  readonly durationMs: number
  readonly outcome: Outcome
  readonly action: Action
}

/** Writes them to the log. */
export function deliveryEvents(log: Log): DeliveryEvents {
  return {
    attempted: ({ webhookId, replay, batch, durationMs, outcome, action }) =>
      log(levels[action.kind], 'webhook delivery attempted', {
        webhookId,
        ...(replay === null ? {} : { replay }),
        batchId: batch.id,
        records: batch.count,
        attempt: batch.attempts + 1,
        durationMs,
        outcome: outcome.kind,
        action: action.kind,
        error: explain(outcome),
      }),
    failed: (webhookId, error) =>
      log('error', 'webhook delivery interrupted', { webhookId, error }),
    leasesFailed: (error) => log('warn', 'webhook leases not renewed', { error }),
    surveyFailed: (error) => log('warn', 'webhooks not counted', { error }),
  }
}

const levels = {
  ADVANCE: 'debug',
  RETRY: 'info',
  HALVE: 'info',
  SET_ASIDE: 'warn',
  DISABLE: 'warn',
} as const satisfies Record<Action['kind'], 'debug' | 'info' | 'warn'>
