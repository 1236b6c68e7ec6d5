import type { Clock } from '../../../core/ports/clock.ts'
import type { SmppSettings } from '../settings.ts'
import type { CarrierLinks } from './carrier-links.ts'
import type { Link } from './link.ts'
import type { Throttle } from './throttle.ts'

/** A part that waits for its turn to be sent. */
export interface QueuedSend {
  /** Another part of its message was taken already: it goes before those that have not begun, and stays. */
  readonly isBegun: boolean
  /** Sends the part over this link, synchronously. */
  readonly go: (link: Link) => void
  /** Rejects a part that was not sent; it may return after the delay. */
  readonly sendAway: (retryAfterMs: number, reason: string) => void
}

/** Queue of parts to send, bounded by each link's window, the carrier's rate and the throttle's pauses. */
export interface SendQueue {
  /** Waits for a turn; the function returned gives up waiting. */
  wait(waiter: QueuedSend): () => void
  /** Sends as many parts as possible: after a response, a bind, or the end of a link. */
  pass(): void
}

/** Dependencies of the send queue. */
export interface SendQueueOptions {
  readonly clock: Clock
  readonly settings: Pick<SmppSettings, 'window' | 'partsPerSecond'>
  readonly throttle: Throttle
  /** Of the links that can submit, those are used that are bound still. */
  readonly links: Pick<CarrierLinks, 'submitting' | 'downReason'>
}

/**
 * Maximum wait of a part in this queue, in milliseconds. After that it waits in the store and delays no
 * others.
 */
const holdMs = 5000

/** When a message comes again whose carrier is down. */
const downMs = 5000

/** Creates an empty send queue. */
export function sendQueue(options: SendQueueOptions): SendQueue {
  const { clock, settings, throttle } = options
  const perSecondMax = settings.partsPerSecond ?? Infinity
  const rate = submitRate(() => Math.min(perSecondMax, throttle.perSecond), clock)
  const queue: Waiting = { begun: new Set(), fresh: new Map() }
  let cancel: (() => void) | null = null

  const pass = (): void => {
    cancel?.()
    cancel = null
    while (queue.begun.size + queue.fresh.size > 0) {
      const waitMs = Math.max(rate.waitMs(1), throttle.pauseMs())
      const link = waitMs > 0 ? null : freest(options)
      if (link === null) return rest(waitMs > 0 ? waitMs : Infinity)
      rate.take()
      takeFirst(queue)?.go(link)
    }
  }

  /** Wakes up when the next one may go, or has waited for too long. */
  const rest = (waitMs: number): void => {
    sendAwayLate(queue, rate, options)
    const [oldest = Infinity] = queue.fresh.values()
    const wakeMs = Math.min(waitMs, oldest + holdMs - clock.monotonic())
    if (wakeMs < Infinity) cancel = clock.after(Math.max(Math.ceil(wakeMs), 1), pass)
  }

  return {
    pass,
    wait: (waiter) => {
      const { begun, fresh } = queue
      if (waiter.isBegun) begun.add(waiter)
      else if (rate.waitMs(fresh.size + 1) <= holdMs) fresh.set(waiter, clock.monotonic())
      else waiter.sendAway(rate.laterMs(fresh.size), 'as many wait as may go for a while')
      pass()
      return () => {
        begun.delete(waiter)
        fresh.delete(waiter)
      }
    },
  }
}

/** Waiting parts: first those of started messages, then the others with their arrival times. */
interface Waiting {
  readonly begun: Set<QueuedSend>
  readonly fresh: Map<QueuedSend, number>
}

function takeFirst({ begun, fresh }: Waiting): QueuedSend | undefined {
  const [waiter] = begun.size > 0 ? begun : fresh.keys()
  if (waiter === undefined) return undefined
  begun.delete(waiter)
  fresh.delete(waiter)
  return waiter
}

/** Rejects parts that waited too long, or all parts if nothing can be sent. */
function sendAwayLate(
  { fresh }: Waiting,
  rate: SubmitRate,
  { clock, links }: SendQueueOptions,
): void {
  const late = clock.monotonic() - holdMs
  const reason = links.downReason
  for (const [waiter, since] of fresh) {
    if (since > late && reason === null) return
    fresh.delete(waiter)
    if (reason === null) waiter.sendAway(rate.laterMs(fresh.size), 'the window is full')
    else waiter.sendAway(downMs, reason)
  }
}

/** Returns the link with the most free window; null if all are full. */
function freest({ links, settings }: SendQueueOptions): Link | null {
  let best: Link | null = null
  for (const link of links.submitting) {
    if (!link.isBound) continue
    if (link.inFlight < settings.window && (best === null || link.inFlight < best.inFlight))
      best = link
  }
  return best
}

/** A limit of parts a second. */
interface SubmitRate {
  /** Returns the milliseconds until the next `parts` may leave; 0 if now. */
  waitMs(parts: number): number
  /** A part goes. */
  take(): void
  /**
   * A time from now at which a part that is not to wait here may come again: each one gets a later
   * one, so that those who are sent away come back at the rate and not all together.
   */
  laterMs(waiting: number): number
}

/** Burst after a pause, as a share of one second's parts: SMSCs count by the second. */
const burst = 0.05

/** The farthest that somebody is sent away: until then much may have changed. */
const laterMsMax = 5 * 60_000

/** When it comes again if the rate is no limit. */
const laterMsUnlimited = 1000

/** Makes a token bucket; an infinite rate is no limit. The rate may change at any time. */
function submitRate(perSecond: () => number, clock: Clock): SubmitRate {
  let tokens = Infinity
  let filledAt = clock.monotonic()
  let promisedAt = 0

  /** Returns the tokens per millisecond. */
  const fill = (): number => {
    const now = clock.monotonic()
    const perMs = perSecond() / 1000
    const depth = Math.max(1, perMs * 1000 * burst)
    tokens = perMs === Infinity ? 0 : Math.min(depth, tokens + (now - filledAt) * perMs)
    filledAt = now
    return perMs
  }

  return {
    waitMs: (parts) => {
      const perMs = fill()
      if (perMs === Infinity) return 0
      // A thousandth of a token is not waited for: sums of fractions do not come out even.
      return tokens >= parts - 0.001 ? 0 : (parts - tokens) / perMs
    },
    take: () => {
      if (fill() !== Infinity) tokens -= 1
    },
    laterMs: (waiting) => {
      const perMs = fill()
      if (perMs === Infinity) return laterMsUnlimited
      const now = clock.monotonic()
      promisedAt = Math.max(promisedAt, now + waiting / perMs) + 1 / perMs
      return Math.min(promisedAt - now, laterMsMax)
    },
  }
}
