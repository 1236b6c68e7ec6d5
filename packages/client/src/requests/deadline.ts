import type { Clock } from '../../../../src/core/ports/clock.ts'

/** A time limit. Its signal is given when the time is over, or with an outer signal. */
export interface Deadline {
  readonly signal: AbortSignal
  /** True after the time is over. */
  readonly expired: boolean
  /** Restarts the limit. */
  restart(timeoutMs: number): void
  /** Suspends the limit until a restart. */
  pause(): void
  /** Ends the limit, and aborts work under its signal. Call it always. */
  end(): void
}

/** Starts a deadline. */
export function deadline(
  clock: Clock,
  timeoutMs: number,
  outer: AbortSignal | undefined,
): Deadline {
  const controller = new AbortController()
  let expired = false
  const expire = (): void => {
    expired = true
    controller.abort()
  }
  const follow = (): void => controller.abort()
  let cancel = clock.after(timeoutMs, expire)
  if (outer?.aborted === true) follow()
  else outer?.addEventListener('abort', follow, { once: true })

  return {
    signal: controller.signal,
    get expired() {
      return expired
    },
    restart: (ms) => {
      cancel()
      cancel = clock.after(ms, expire)
    },
    pause: () => cancel(),
    end: () => {
      cancel()
      outer?.removeEventListener('abort', follow)
      controller.abort()
    },
  }
}
