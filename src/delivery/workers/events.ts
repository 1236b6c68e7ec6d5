import type { Log } from '../../core/ports/log.ts'
import { explain, type Outcome } from '../attempts/outcome.ts'
import type { OpenBatch } from '../progress/progress.ts'
import type { Action } from '../attempts/settle.ts'

/** Events of deliveries that an operator sees, one method each. */
export interface DeliveryEvents {
  attempted(attempt: AttemptEvent): void
  /** The store could not be used, or a webhook could not be worked on; it is tried again. */
  failed(webhookId: string, error: unknown): void
  /** A lease could not be renewed or taken; the next look retries. */
  leasesFailed(error: unknown): void
  /** The webhooks could not be counted for the metrics; it is tried again. */
  surveyFailed(error: unknown): void
}

/** Attempt and the resulting action. */
export interface AttemptEvent {
  readonly webhookId: string
  /** The replay that it is part of, if any. */
  readonly replay: string | null
  /** True if the attempt before it failed. */
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
