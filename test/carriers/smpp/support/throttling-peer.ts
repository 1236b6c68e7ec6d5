import type { Clock } from '../../../../src/core/ports/clock.ts'

/** Decides, part by part, whether an SMSC accepts it. */
export type Admission = () => boolean

/** Accepts so many parts in each second of the clock. */
export function perWindow(perSecond: number, clock: Clock): Admission {
  let second = -1
  let count = 0
  return () => {
    const now = Math.floor(clock.monotonic() / 1000)
    if (now !== second) [second, count] = [now, 0]
    count += 1
    return count <= perSecond
  }
}

/** Accepts so many parts per second, and after a pause those of `depthMs` together. */
export function perBucket(perSecond: number, depthMs: number, clock: Clock): Admission {
  const depth = Math.max((perSecond * depthMs) / 1000, 1)
  let tokens = depth
  let filledAt = clock.monotonic()
  return () => {
    const now = clock.monotonic()
    tokens = Math.min(depth, tokens + ((now - filledAt) * perSecond) / 1000)
    filledAt = now
    if (tokens < 1) return false
    tokens -= 1
    return true
  }
}
