import type { Clock } from '../../../../src/core/ports/clock.ts'

/** A limit on how long something may take: its signal is given when time is up, or when another one is. */
export interface Deadline {
  readonly signal: AbortSignal
  /** Whether time was up. */
  readonly expired: boolean
  /** Gives this much time from now on. */
  restart(timeoutMs: number): void
  /** Lets time stand still until it is restarted. */
  pause(): void
  /** Ends it, and gives up what still goes on under its signal. To be called always. */
  end(): void
}

/** Begins a deadline. */
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
