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

/** Keys remembered at the most; beyond that those that rest longest are forgotten, which only helps them. */
const keysMax = 100_000

/**
 * Limits by the generic cell rate algorithm (ITU-T I.371): a key has one number, the time at which
 * it would be at rest. The policy names what may always be made: a burst, as often as the rate
 * fills it up again. Fields as in draft-ietf-httpapi-ratelimit-headers. Of several nodes each lets
 * through its share.
 */
export function rateLimit(
  rate: RequestRate | null,
  clock: Clock,
  nodes: () => number = () => 1,
): Limit {
  if (rate === null) return () => unlimited
  const restAt = new Map<string, number>()
  const policy = `"key";q=${rate.burst};w=${Math.ceil(rate.burst / rate.perSecond)}`
  return ({ account, keyId }) => {
    const sharers = nodes()
    const stepMs = (1000 / rate.perSecond) * sharers
    const toleranceMs = stepMs * Math.max(rate.burst / sharers - 1, 0)
    const key = `${account}/${keyId}`
    const now = clock.monotonic()
    const rest = Math.max(restAt.get(key) ?? now, now)
    const waitMs = rest - now - toleranceMs
    if (waitMs > 0) {
      throw new Problem(
        'too-many-requests',
        `The key may send ${rate.burst} requests in a burst, and ${rate.perSecond} per second.`,
        {
          headers: {
            'retry-after': String(Math.ceil(waitMs / 1000)),
            'ratelimit-policy': policy,
            ratelimit: `"key";r=0;t=${Math.ceil(waitMs / 1000)}`,
          },
        },
      )
    }
    // Reinsert the key at the end: the first key is the one idle for longest.
    restAt.delete(key)
    restAt.set(key, rest + stepMs)
    if (restAt.size > keysMax) restAt.delete(restAt.keys().next().value ?? key)
    const left = Math.floor((toleranceMs - (rest - now)) / stepMs)
    const fullMs = rest + stepMs - now
    return {
      'ratelimit-policy': policy,
      ratelimit: `"key";r=${left};t=${Math.ceil(fullMs / 1000)}`,
    }
  }
}
