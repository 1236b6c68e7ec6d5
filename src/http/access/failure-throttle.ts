import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { Problem } from '../../core/problem.ts'

/** Failed credentials by client address. */
export interface FailureThrottle {
  /** Throws `too-many-requests` if an address has too many failures. */
  check(address: string | null): void
  /** Counts a failure. */
  failed(address: string | null): void
}

/** Failures of an address that are answered without delay, and their number per second after that. */
const burst = 30
const perSecond = 1

/** Addresses that are remembered; beyond that those whose last failure is longest ago are forgotten. */
const addressesMax = 10_000

/** Time between two log lines about failures, in milliseconds. */
const logEveryMs = 1000

/**
 * Throttles failed credentials by client address: IPv6 addresses of one network (/64) count as one.
 * Credentials that were right before pass, so one client does not lock out others of its proxy.
 */
export function failureThrottle(clock: Clock, log: Log): FailureThrottle {
  const restAt = new Map<string, number>()
  const stepMs = 1000 / perSecond
  let unlogged = 0
  let loggedAt = -Infinity

  const waitMs = (key: string): number =>
    (restAt.get(key) ?? 0) - clock.monotonic() - (burst - 1) * stepMs
  return {
    check: (address) => {
      if (restAt.size === 0) return
      const ms = waitMs(networkOf(address))
      if (ms <= 0) return
      const seconds = String(Math.ceil(ms / 1000))
      throw new Problem('too-many-requests', 'Too many failed credentials from this address.', {
        headers: { 'retry-after': seconds },
      })
    },
    failed: (address) => {
      const key = networkOf(address)
      const now = clock.monotonic()
      const rest = Math.max(restAt.get(key) ?? now, now)
      restAt.delete(key)
      restAt.set(key, rest + stepMs)
      const [oldest] = restAt.keys()
      if (restAt.size > addressesMax && oldest !== undefined) restAt.delete(oldest)
      unlogged += 1
      if (now - loggedAt < logEveryMs) return
      log('warn', 'credentials refused', { clientAddress: address, count: unlogged })
      loggedAt = now
      unlogged = 0
    },
  }
}

function networkOf(address: string | null): string {
  if (address === null || !address.includes(':')) return address ?? ''
  const [head = ''] = address.split('::')
  return head.split(':').slice(0, 4).join(':')
}
