import type { Instant } from '../../core/ports/clock.ts'
import type { WebhookProgress } from '../progress/progress.ts'

/** What can be expected of a receiver before it is asked. */
export type ReceiverHealth =
  /** It took something not long ago. */
  | 'PROVEN'
  /** Nobody knows: it took nothing yet, or nothing for long. */
  | 'UNPROVEN'
  /** The last attempt failed. */
  | 'FAILING'

/** A success speaks for a receiver for so long. */
const provenMs = 3_600_000

/** What can be expected of the receiver of a webhook. */
export function standingOf(
  { failingSince, lastSuccessAt }: Pick<WebhookProgress, 'failingSince' | 'lastSuccessAt'>,
  now: Instant,
): ReceiverHealth {
  if (failingSince !== null) return 'FAILING'
  if (lastSuccessAt === null) return 'UNPROVEN'
  return Math.abs(now - lastSuccessAt) < provenMs ? 'PROVEN' : 'UNPROVEN'
}
