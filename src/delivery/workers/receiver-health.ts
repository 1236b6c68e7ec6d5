import type { Instant } from '../../core/ports/clock.ts'
import type { WebhookProgress } from '../progress/progress.ts'

/** Expected behaviour of a receiver. */
export type ReceiverHealth =
  /** It took something not long ago. */
  | 'PROVEN'
  /** Unknown: it had no success yet, or none for long. */
  | 'UNPROVEN'
  /** The last attempt failed. */
  | 'FAILING'

/** Validity of a success, in milliseconds. */
const provenMs = 3_600_000

/** Returns the health of a webhook's receiver. */
export function standingOf(
  { failingSince, lastSuccessAt }: Pick<WebhookProgress, 'failingSince' | 'lastSuccessAt'>,
  now: Instant,
): ReceiverHealth {
  if (failingSince !== null) return 'FAILING'
  if (lastSuccessAt === null) return 'UNPROVEN'
  return Math.abs(now - lastSuccessAt) < provenMs ? 'PROVEN' : 'UNPROVEN'
}
