import type { Random } from '../../../../src/core/ports/random.ts'
import type { RetryLimits } from '../options.ts'

/** The wait before the first repetition is at most this long; before each further one twice as long. */
const baseMs = 250
/** No wait is longer, but for one that the service asks for. */
const capMs = 8000

/** What is known when a request has failed and might be repeated. */
export interface Failed {
  /** Attempts made so far. */
  readonly attempts: number
  /** How long the request has taken so far, waits included. */
  readonly elapsedMs: number
  /** How long the service asked to wait, if it did. */
  readonly retryAfterMs: number | null
}

/** How long to wait before the next attempt, or null where none may follow. */
export function delayBeforeNext(
  failed: Failed,
  limits: RetryLimits,
  random: Random,
): number | null {
  if (failed.attempts >= limits.attempts) return null
  const delayMs = jitteredMs(failed.attempts, random) + (failed.retryAfterMs ?? 0)
  return failed.elapsedMs + delayMs < limits.totalMs ? delayMs : null
}

/**
 * A wait with full jitter: anything up to a limit that doubles with each attempt. So those who failed
 * together do not come back together.
 */
export function jitteredMs(attempts: number, random: Random, capOfMs: number = capMs): number {
  return Math.floor(random.fraction() * Math.min(capOfMs, baseMs * 2 ** (attempts - 1)))
}
