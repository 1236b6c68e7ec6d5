import type { Instant } from '../core/clock.ts'
import type { Progress } from './progress.ts'

/** What can be expected of a receiver before it is asked. */
export type Standing =
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
  { failingSince, lastSuccessAt }: Pick<Progress, 'failingSince' | 'lastSuccessAt'>,
  now: Instant,
): Standing {
  if (failingSince !== null) return 'FAILING'
  if (lastSuccessAt === null) return 'UNPROVEN'
  return Math.abs(now - lastSuccessAt) < provenMs ? 'PROVEN' : 'UNPROVEN'
}
