import type { Random } from '../../../../src/core/ports/random.ts'
import { attempt, type ServiceResponse, type Network, type Outgoing } from './attempt.ts'
import { wait } from '../clock.ts'
import { judge } from './judge.ts'
import type { RetryLimits } from '../options.ts'
import { delayBeforeNext } from './delay-before-next.ts'

/** A request with the options of its retries. */
export interface Sending extends Outgoing {
  /**
   * A repetition has no further effect. Any other request is repeated only after a temporary
   * refusal.
   */
  readonly idempotent: boolean
  /** The limit of one attempt. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Sends a request, with retries. Returns a response with 2xx or 304. Throws `NuncioProblem` for a
 * refusal, `NuncioConnectionError` for a missing response, or the signal's reason.
 */
export type Send = (sending: Sending) => Promise<ServiceResponse>

/** The dependencies of a sender. */
export interface SenderPorts extends Network {
  readonly random: Random
  readonly retry: RetryLimits
}

/** Makes the function that sends requests. */
export function sender(ports: SenderPorts): Send {
  const { clock, random, retry } = ports
  return async (sending) => {
    const { idempotent, signal } = sending
    const startedMs = clock.monotonic()
    let uncertain = false
    for (let attempts = 1; ; attempts += 1) {
      signal?.throwIfAborted()
      const leftMs = startedMs + retry.totalMs - clock.monotonic()
      const outcome = await attempt(sending, Math.min(sending.timeoutMs, leftMs), signal, ports)

      const verdict = judge(outcome, sending, uncertain, clock.now())
      if (!('error' in verdict)) return verdict
      const { error, refused, lost, retryAfterMs } = verdict
      const elapsedMs = clock.monotonic() - startedMs
      const delayMs =
        refused || (lost && idempotent)
          ? delayBeforeNext({ attempts, elapsedMs, retryAfterMs }, retry, random)
          : null
      if (delayMs === null) throw error

      uncertain ||= lost
      await wait(clock, delayMs, signal)
    }
  }
}
