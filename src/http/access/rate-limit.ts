import type { Clock } from '../../core/ports/clock.ts'
import { Problem } from '../../core/problem.ts'
import type { Principal } from '../../core/declaration/rules.ts'

/** Requests that a key may make. */
export interface RequestRate {
  readonly perSecond: number
  /** Requests in immediate succession after a pause; at least 1. */
  readonly burst: number
}

/** Counts a request of a key. Returns header fields with the requests left, or throws. */
export type Limit = (principal: Principal) => Readonly<Record<string, string>>

const unlimited = {}

/** Subjects remembered at the most; beyond that those that rest longest are forgotten, which only helps them. */
const subjectsMax = 100_000

/**
 * Limits the requests of each key, and those of each account that has a limit. Of several nodes each lets
 * through its share.
 */
export function rateLimit(
  rate: RequestRate | null,
  clock: Clock,
  nodes: () => number = () => 1,
): Limit {
  const keys = cellRate(clock)
  const accounts = cellRate(clock)
  return ({ account, keyId, limits }) => {
    const perSecond = limits?.requestsPerSecond ?? 0
    if (perSecond > 0) {
      const ofAccount = { perSecond, burst: perSecond }
      const { waitMs } = accounts.take(account, ofAccount, nodes())
      if (waitMs > 0) {
        const detail = `The account is at its limit requestsPerSecond of ${perSecond}.`
        throw tooMany(detail, waitMs, policyOf('account', ofAccount), 'account')
      }
    }
    if (rate === null) return unlimited
    const { waitMs, left, fullMs } = keys.take(`${account}/${keyId}`, rate, nodes())
    const policy = policyOf('key', rate)
    if (waitMs > 0) {
      const detail = `The key may send ${rate.burst} requests in a burst, and ${rate.perSecond} per second.`
      throw tooMany(detail, waitMs, policy, 'key')
    }
    return {
      'ratelimit-policy': policy,
      ratelimit: `"key";r=${left};t=${Math.ceil(fullMs / 1000)}`,
    }
  }
}

/** Names what may always be made: a burst, as often as the rate fills it up again. */
function policyOf(subject: string, { perSecond, burst }: RequestRate): string {
  return `"${subject}";q=${burst};w=${Math.ceil(burst / perSecond)}`
}

/** Fields as in draft-ietf-httpapi-ratelimit-headers. */
function tooMany(detail: string, waitMs: number, policy: string, subject: string): Problem {
  const seconds = Math.ceil(waitMs / 1000)
  const headers = {
    'retry-after': String(seconds),
    'ratelimit-policy': policy,
    ratelimit: `"${subject}";r=0;t=${seconds}`,
  }
  return new Problem('too-many-requests', detail, { headers })
}

/** State of a rate after a request. */
interface Taken {
  /** Time until a request is let through; 0 if this one is. */
  readonly waitMs: number
  readonly left: number
  /** Time until a whole burst is let through. */
  readonly fullMs: number
}

/**
 * The generic cell rate algorithm (ITU-T I.371): a subject has one number, the time at which it would be
 * at rest.
 */
function cellRate(clock: Clock) {
  const restAt = new Map<string, number>()
  return {
    take: (subject: string, { perSecond, burst }: RequestRate, sharers: number): Taken => {
      const stepMs = (1000 / perSecond) * sharers
      const toleranceMs = stepMs * Math.max(burst / sharers - 1, 0)
      const now = clock.monotonic()
      const rest = Math.max(restAt.get(subject) ?? now, now)
      const waitMs = rest - now - toleranceMs
      if (waitMs > 0) return { waitMs, left: 0, fullMs: waitMs }
      // Reinsert the subject at the end: the first one is the one idle for longest.
      restAt.delete(subject)
      restAt.set(subject, rest + stepMs)
      if (restAt.size > subjectsMax) restAt.delete(restAt.keys().next().value ?? subject)
      const left = Math.floor((toleranceMs - (rest - now)) / stepMs)
      return { waitMs: 0, left, fullMs: rest + stepMs - now }
    },
  }
}
