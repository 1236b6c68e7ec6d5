import type { Random } from '../../../../src/core/ports/random.ts'
import { attempt, type ServiceResponse, type Network, type Outgoing } from './attempt.ts'
import { wait } from '../clock.ts'
import { judge } from './judge.ts'
import type { RetryLimits } from '../options.ts'
import { delayBeforeNext } from './delay-before-next.ts'

/** A request with what its repetition depends on. */
export interface Sending extends Outgoing {
  /** Whether to carry it out twice is as good as once. Else it is repeated only where it was refused. */
  readonly idempotent: boolean
  /** How long an attempt may take. */
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/**
 * Sends a request, again where that helps. Returns an answer of success, or one with status 304.
 * Throws `NuncioProblem` for a refusal, `NuncioConnectionError` where no answer came, the reason of
 * the signal where that was given.
 */
export type Send = (sending: Sending) => Promise<ServiceResponse>

/** What a sender works with. */
export interface SenderPorts extends Network {
  readonly random: Random
  readonly retry: RetryLimits
}

/** Makes what sends requests. */
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
