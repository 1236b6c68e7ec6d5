import type { Clock, Instant } from '../core/ports/clock.ts'
import type { Log } from '../core/ports/log.ts'

/** The dependencies of a loop. */
export interface LoopOptions {
  /** The name in the log. */
  readonly name: string
  readonly clock: Clock
  readonly log: Log
  /** The interval of runs without a wake-up. */
  readonly pollMs: number
  /** Does due work. Returns the time of the next work; null if unknown. */
  readonly work: () => Promise<Instant | null>
}

/** Repeated work, one run at a time. */
export interface Loop {
  /** Schedules a run at this time; immediately if the time has come. */
  wake(at: Instant): void
  /** Stops. Resolves when the present run has ended. */
  stop(): Promise<void>
}

/** The delay after a failed run. */
const restMs = 1000

/** Creates a loop. It does nothing until it is woken. */
export function loop({ name, clock, log, pollMs, work }: LoopOptions): Loop {
  let stopped = false
  let running: Promise<void> | null = null
  let wanted = Infinity
  let restsUntil = -Infinity
  let cancel = (): void => {}

  const wake = (at: Instant): void => {
    if (stopped) return
    // A past time without a run means that the wall clock jumped over it.
    if (at >= wanted && wanted > clock.now()) return
    wanted = Math.min(wanted, at)
    if (running === null) arm()
  }

  const arm = (): void => {
    cancel()
    const delayMs = Math.max(wanted - clock.now(), restsUntil - clock.monotonic())
    if (delayMs <= 0) run()
    else cancel = clock.after(Math.min(delayMs, pollMs), run)
  }

  const run = (): void => {
    wanted = Infinity
    running = Promise.resolve()
      .then(once)
      .then((next) => {
        running = null
        if (stopped) return
        wanted = Math.min(wanted, next ?? Infinity)
        arm()
      })
  }

  const once = async (): Promise<Instant | null> => {
    try {
      return await work()
    } catch (error) {
      log('error', `${name} failed`, { error })
      restsUntil = clock.monotonic() + restMs
      return clock.now()
    }
  }

  return {
    wake,
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}
