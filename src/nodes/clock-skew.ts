import type { Instant } from '../core/ports/clock.ts'
import type { Log } from '../core/ports/log.ts'
import { StoreUnavailable } from '../core/ports/store.ts'

/** The store's time, and this node's before the question and after the response. */
export interface ClockReading {
  readonly before: Instant
  readonly stored: Instant
  readonly after: Instant
}

/** Nodes use their clocks for leases and due times, so they must agree with the store's within this time. */
const skewMsMax = 1000

/** A warning ends once the clock is well within the limit again. */
const agreedMs = 500

/** Lead of this node's clock over the store's. */
export interface ClockSkew {
  /** Checks the first reading. Throws `StoreUnavailable` if the clocks differ by too much. */
  start(reading: ClockReading): void
  /** Checks a later reading, and logs if it is the first one that differs by too much, or that agrees. */
  check(reading: ClockReading): void
  /** Returns the last one, at least: the time of the question is subtracted. */
  aheadMs(): number
}

/** Begins with a clock that agrees. */
export function clockSkew(log: Log): ClockSkew {
  let ahead = 0
  let differs = false

  return {
    start: (reading) => {
      ahead = aheadIn(reading)
      if (Math.abs(ahead) <= skewMsMax) return
      const side = ahead > 0 ? 'ahead of' : 'behind'
      throw new StoreUnavailable(
        `the clock of this machine is ${Math.abs(ahead) / 1000} s ${side} that of the database, and may ` +
          'differ by one second; synchronize both by NTP, and start again',
      )
    },
    check: (reading) => {
      ahead = aheadIn(reading)
      const limitMs = differs ? agreedMs : skewMsMax
      if (Math.abs(ahead) > limitMs === differs) return
      differs = !differs
      if (differs) log('warn', 'clock differs from the database', { aheadMs: ahead })
      else log('info', 'clock agrees with the database', { aheadMs: ahead })
    },
    aheadMs: () => ahead,
  }
}

function aheadIn({ before, stored, after }: ClockReading): number {
  if (stored < before) return before - stored
  return stored > after ? after - stored : 0
}
