import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { Problem } from '../../core/problem.ts'
import { faultsByAddress } from './faults-by-address.ts'

/** Failed credentials by client address. */
export interface FailureThrottle {
  /** Throws `too-many-requests` if an address has too many failures. */
  check(address: string | null): void
  /** Counts a failure. */
  failed(address: string | null): void
}

/** Failures of an address that are answered without delay, and their number per second after that. */
const failureRate = { burst: 30, perSecond: 1 }

/** Time between two log lines about failures, in milliseconds. */
const logEveryMs = 1000

/**
 * Throttles failed credentials by client address.
 * Credentials that were right before pass, so one client does not lock out others of its proxy.
 */
export function failureThrottle(clock: Clock, log: Log): FailureThrottle {
  const failures = faultsByAddress(clock, failureRate)
  let unlogged = 0
  let loggedAt = -Infinity

  return {
    check: (address) => {
      const ms = failures.waitMs(address)
      if (ms <= 0) return
      const seconds = String(Math.ceil(ms / 1000))
      throw new Problem('too-many-requests', 'Too many failed credentials from this address.', {
        headers: { 'retry-after': seconds },
      })
    },
    failed: (address) => {
      const now = clock.monotonic()
      failures.add(address)
      unlogged += 1
      if (now - loggedAt < logEveryMs) return
      log('warn', 'credentials refused', { clientAddress: address, count: unlogged })
      loggedAt = now
      unlogged = 0
    },
  }
}
