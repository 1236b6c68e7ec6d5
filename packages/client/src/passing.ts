import { NuncioConnectionError } from './connection-error.ts'
import { NuncioProblem } from './problem.ts'

/** Whether time may mend a failure, so that one who waits for news should go on waiting. */
export function isPassing(error: unknown): boolean {
  if (error instanceof NuncioConnectionError) return error.fault !== 'malformed'
  return error instanceof NuncioProblem && (error.status === 429 || error.status >= 500)
}

/** How long the service asked to wait, 0 where it did not. */
export function wantedWaitMs(error: unknown): number {
  return error instanceof NuncioProblem ? (error.retryAfterMs ?? 0) : 0
}
