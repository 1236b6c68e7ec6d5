import type { Random } from '../../../../src/core/ports/random.ts'
import type { RetryLimits } from '../options.ts'

/** The limit of the first random wait; each further limit is twice as long. */
const baseMs = 250
/** The longest wait, unless the service asks for a longer one. */
const capMs = 8000

/** The state of a request after a failed attempt. */
export interface Failed {
  /** Attempts made so far. */
  readonly attempts: number
  /** The duration of the request so far, waits included. */
  readonly elapsedMs: number
  /** The wait that the service asked for. */
  readonly retryAfterMs: number | null
}

/** Returns the wait before the next attempt; null if no attempt may follow. */
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
 * Returns a wait with full jitter below a limit that doubles with each attempt: clients that failed
 * together do not retry together.
 */
export function jitteredMs(attempts: number, random: Random, capOfMs: number = capMs): number {
  return Math.floor(random.fraction() * Math.min(capOfMs, baseMs * 2 ** (attempts - 1)))
}
