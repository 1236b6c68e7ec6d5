import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'

/** The first pause, and the longest; each doubles the one before, and each accepted part halves the next. */
const pauseMsMin = 50
const pauseMsMax = 15_000

/** The first signals leave these shares of the rate, further ones this share of the accepted rate. */
const shares = [0.95, 0.9]
const acceptedShare = 0.97

/** Refusals within this time after one are the same signal: their parts left before it. */
const signalMs = 1000

/** A signal within this time after another continues it. */
const continuedMs = 2000

/** Growth per second at first; how long it stays so, how fast it doubles then, and its limit. */
const growthMin = 0.01
const calmMs = 3000
const doublingMs = 2000
const growthMax = 1

/** The most time between two accepted parts that counts: longer ones are pauses of the sender. */
const idleMs = 5000

/** The lowest rate, and the one that counts as no limit. */
const perSecondMin = 0.1
const perSecondMax = 100_000

/**
 * Finds the rate that an SMSC allows and does not say. The first ESME_RTHROTTLED gives an estimate,
 * which grows fast until the next one. Then the rate is near the limit: it falls a little with each
 * refusal, and grows with each accepted part, slowly at first and faster after a while. If refusals
 * continue, the rate becomes what the SMSC accepted in the last second.
 */
export class Throttle {
  readonly #clock: Clock
  readonly #random: Random
  readonly #accepted: AcceptedRate
  readonly #onPause: () => void
  #perSecond = Infinity
  #pause = pauseMsMin
  #pausedUntil = -Infinity
  #loweredAt = -Infinity
  #grownAt = 0
  /** Signals that continued each other. */
  #signals = 0
  /** Time without a refusal in which parts were accepted. */
  #calm = 0

  /** Creates a throttle without a limit; `onPause` is called for each pause. */
  constructor(clock: Clock, random: Random, onPause: () => void = () => {}) {
    this.#clock = clock
    this.#random = random
    this.#accepted = acceptedRate(clock)
    this.#onPause = onPause
  }

  /** Parts per second that may be sent; infinite until the SMSC refuses one. */
  get perSecond(): number {
    return this.#perSecond
  }

  /** Returns the rest of the pause in milliseconds; 0 if parts may be sent. */
  pauseMs(): number {
    return Math.max(this.#pausedUntil - this.#clock.monotonic(), 0)
  }

  /** The SMSC accepted a part. */
  faster(): void {
    this.#accepted.count()
    this.#pause = Math.max(this.#pause / 2, pauseMsMin)
    if (this.#perSecond < Infinity) this.#grow(this.#clock.monotonic())
  }

  /** It refused one as too fast. */
  slower(): void {
    const now = this.#clock.monotonic()
    if (now >= this.#loweredAt + signalMs) {
      this.#perSecond = Math.max(this.#lowered(now), perSecondMin)
      this.#loweredAt = now
      this.#grownAt = now
    }
    // Parts that left together are refused together: that is one pause.
    if (now < this.#pausedUntil) return
    this.#onPause()
    this.#pausedUntil = now + this.#pause * (1 + this.#random.fraction() / 2)
    this.#pause = Math.min(this.#pause * 2, pauseMsMax)
  }

  #grow(now: number): void {
    const elapsed = Math.min(now - this.#grownAt, idleMs)
    this.#grownAt = now
    this.#calm += elapsed
    const doublings = Math.max(this.#calm - calmMs, 0) / doublingMs
    const growth = Math.min(growthMin * 2 ** doublings, growthMax)
    this.#perSecond *= 1 + growth * (elapsed / 1000)
    if (this.#perSecond > perSecondMax) this.#perSecond = Infinity
  }

  /** Returns the rate after a refusal. */
  #lowered(now: number): number {
    const acceptedPerSecond = this.#accepted.perSecond()
    // Without an accepted part nothing is known about the rate: only the pauses grow.
    if (acceptedPerSecond === 0) return this.#perSecond
    const isFirst = this.#perSecond === Infinity
    const isContinued = now < this.#loweredAt + continuedMs
    this.#signals = isFirst ? shares.length : isContinued ? this.#signals + 1 : 1
    this.#calm = isFirst ? Infinity : 0
    const share = shares[this.#signals - 1]
    if (share !== undefined && !isFirst) return this.#perSecond * share
    return Math.min(acceptedPerSecond * acceptedShare, this.#perSecond)
  }
}

/** Measures the rate of accepted parts over the last second. */
interface AcceptedRate {
  count(): void
  /** Parts per second: over a second, or over the shorter time since the first part after a pause. */
  perSecond(): number
}

/** The number of slots in a counted second, and their length. */
const slots = 20
const slotMs = 50

/** The shortest time that a rate is calculated from. */
const spanMsMin = 200

/** Creates a meter that has counted nothing. */
function acceptedRate(clock: Clock): AcceptedRate {
  const counts = Array.from({ length: slots + 1 }, () => 0)
  let current = 0
  let since = -Infinity

  /** Clears the slots that have passed. */
  const advance = (): number => {
    const now = clock.monotonic()
    const slot = Math.floor(now / slotMs)
    const passed = Math.min(slot - current, counts.length)
    for (let index = 1; index <= passed; index += 1) counts[(current + index) % counts.length] = 0
    current = slot
    return now
  }
  const total = (): number => counts.reduce((sum, count) => sum + count, 0)

  return {
    count: () => {
      const now = advance()
      if (total() === 0) since = now
      const index = current % counts.length
      counts[index] = (counts[index] ?? 0) + 1
    },
    perSecond: () => {
      const spanMs = Math.min(Math.max(advance() - since, spanMsMin), slots * slotMs)
      return (total() * 1000) / spanMs
    },
  }
}
