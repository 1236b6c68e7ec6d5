import type { Clock } from '../../../src/core/ports/clock.ts'

/** The largest delay of a runtime's timer. */
const timerMsMax = 2 ** 31 - 1

/** The clock of the runtime. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, wake) => {
    const timer = setTimeout(wake, Math.min(delayMs, timerMsMax))
    return () => clearTimeout(timer)
  },
}

/** Waits; throws the signal's reason if the signal is given first. */
export function wait(
  clock: Clock,
  delayMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      cancel()
      reject(signal?.reason)
    }
    if (signal?.aborted === true) return reject(signal.reason)
    const cancel = clock.after(delayMs, () => {
      signal?.removeEventListener('abort', stop)
      resolve()
    })
    signal?.addEventListener('abort', stop, { once: true })
  })
}
