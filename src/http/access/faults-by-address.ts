import { isIPv6 } from 'node:net'
import type { Clock } from '../../core/ports/clock.ts'
import type { Log } from '../../core/ports/log.ts'
import { Problem } from '../../core/problem.ts'

/** Faults by the address of a client: some are free, then one in each interval. */
export interface FaultsByAddress {
  /** Returns the time until a further fault is within the limit, in milliseconds; 0 or less if it is now. */
  waitMs(address: string | null): number
  /** Counts a fault. */
  add(address: string | null): void
}

/** Faults of an address in immediate succession, and their number per second after that. */
export interface FaultRate {
  readonly burst: number
  readonly perSecond: number
}

/** Addresses that are remembered; beyond that those whose last fault is longest ago are forgotten. */
const addressesMax = 10_000

/** Counts faults. IPv6 addresses of one network (/64) count as one. */
export function faultsByAddress(clock: Clock, { burst, perSecond }: FaultRate): FaultsByAddress {
  const restAt = new Map<string, number>()
  const stepMs = 1000 / perSecond
  return {
    waitMs: (address) => {
      if (restAt.size === 0) return 0
      const rest = restAt.get(networkOf(address)) ?? 0
      return rest - clock.monotonic() - (burst - 1) * stepMs
    },
    add: (address) => {
      const key = networkOf(address)
      const now = clock.monotonic()
      const rest = Math.max(restAt.get(key) ?? now, now)
      restAt.delete(key)
      restAt.set(key, rest + stepMs)
      const [oldest] = restAt.keys()
      if (restAt.size > addressesMax && oldest !== undefined) restAt.delete(oldest)
    },
  }
}

/** Returns an IPv4 address, or the network of an IPv6 address, as text. */
export function networkOf(address: string | null): string {
  if (address === null) return ''
  const bare = unmapped(address)
  if (!isIPv6(bare)) return bare
  const [head = ''] = bare.split('::')
  return head.split(':').slice(0, 4).join(':')
}

/** Returns an address without the prefix of IPv4-mapped ones. */
export function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, '')
}

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
