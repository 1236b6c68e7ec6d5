/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** Time and timers, passed in so that a test controls them. */
export interface Clock {
  /** The wall clock, in milliseconds since 1970. It may jump. */
  now(): Instant
  /** A clock for durations, in milliseconds from an arbitrary start. It never goes back. */
  monotonic(): number
  /** Calls `wake` once after `delayMs`; the returned function cancels it. */
  after(delayMs: number, wake: () => void): () => void
}

/** A timer of Node holds at most this many milliseconds; a longer wait is made of several. */
const timerMsMax = 2 ** 31 - 1

/** The clock of the machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, wake) => {
    const due = performance.now() + delayMs
    let timer: NodeJS.Timeout
    const arm = (leftMs: number): void => {
      timer = setTimeout(leftMs > timerMsMax ? again : wake, Math.min(leftMs, timerMsMax))
      timer.unref()
    }
    const again = (): void => arm(Math.max(due - performance.now(), 0))
    arm(Math.max(Math.ceil(delayMs), 0))
    return () => clearTimeout(timer)
  },
}

/** Waits `delayMs`, or until the signal is given; never throws. */
export function wait(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const done = (): void => {
      cancel()
      signal.removeEventListener('abort', done)
      resolve()
    }
    const cancel = clock.after(delayMs, done)
    signal.addEventListener('abort', done, { once: true })
  })
}

/** Waits for the next turn of the event loop: what has arrived by then is dealt with first. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
