import type { Clock } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'

/** Permission to send a request, or the delay after which its message may return. */
export type Admission =
  | { readonly kind: 'GO' }
  | { readonly kind: 'LATER'; readonly retryAfterMs: number; readonly reason: string }

/** Dependencies of a request limiter. */
export interface PaceOptions {
  readonly clock: Clock
  readonly random: Random
  /** Maximum concurrent requests; it may change. */
  readonly window: () => number
  /** Returns the reason and duration of a pause; null if requests may be sent. */
  readonly closed: () => { readonly reason: string; readonly retryAfterMs: number } | null
}

/**
 * Maximum wait in this queue, in milliseconds. After that the message waits in the store and delays no
 * others.
 */
const holdMs = 5000

/** The first pause that we choose ourselves, and the longest. */
const pauseMsMin = 500
const pauseMsMax = 15_000

/** The longest pause that a provider can ask for. */
const askedMsMax = 3_600_000

interface Waiter {
  readonly since: number
  readonly decide: (turn: Admission) => void
}

/** Limits concurrent requests and their rate: the window, halved when the provider reports too many. */
export class RequestLimiter {
  readonly #options: PaceOptions
  readonly #line = new Set<Waiter>()
  #inFlight = 0
  #allowed = Infinity
  #pauseMs = pauseMsMin
  #pausedUntil = -Infinity
  #cancel = (): void => {}

  constructor(options: PaceOptions) {
    this.#options = options
  }

  /** Number of requests in flight. */
  get inFlight(): number {
    return this.#inFlight
  }

  /** Waits for admission, for a limited time; the caller must release a GO. */
  turn(signal: AbortSignal): Promise<Admission> {
    const late: Admission = { kind: 'LATER', retryAfterMs: 1000, reason: noTime }
    if (signal.aborted) return Promise.resolve(late)
    const { promise, resolve } = Promise.withResolvers<Admission>()
    const waiter: Waiter = { since: this.#options.clock.monotonic(), decide: resolve }
    const giveUp = (): void => {
      if (this.#line.delete(waiter)) resolve(late)
    }
    signal.addEventListener('abort', giveUp, { once: true })
    this.#line.add(waiter)
    this.pass()
    return promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /** Ends an admitted request. */
  giveBack(): void {
    this.#inFlight -= 1
    this.pass()
  }

  /** The provider took something: a little more may be under way. */
  faster(): void {
    this.#pauseMs = pauseMsMin
    if (this.#allowed !== Infinity) this.#allowed += 1 / this.#allowed
    if (this.#allowed > this.#options.window()) this.#allowed = Infinity
  }

  /** The provider said that this is too fast. */
  slower(asked: number | null): void {
    const { clock, random } = this.#options
    const ownMs = this.#pauseMs * (1 + random.fraction() / 2)
    const until = clock.monotonic() + Math.min(asked ?? ownMs, askedMsMax)
    // All that were under way together are refused together: that is one sign, not many.
    if (this.#leftMs() > 0) {
      if (asked !== null) this.#pausedUntil = Math.max(this.#pausedUntil, until)
      return
    }
    this.#allowed = Math.max(Math.floor(this.#inFlight / 2), 1)
    this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMsMax)
    this.#pausedUntil = until
  }

  /** Decides about those who can go, and about those who need not wait here. */
  pass(): void {
    this.#cancel()
    for (const waiter of this.#line) {
      const turn = this.#turnOf(waiter)
      if (turn === null) continue
      this.#line.delete(waiter)
      if (turn.kind === 'GO') this.#inFlight += 1
      waiter.decide(turn)
    }
    const [oldest] = this.#line
    if (oldest === undefined) return
    const { clock } = this.#options
    const wakeMs = oldest.since + holdMs - clock.monotonic()
    const nextMs = Math.min(wakeMs, this.#leftMs() || wakeMs)
    this.#cancel = clock.after(Math.max(nextMs, 1), () => this.pass())
  }

  #leftMs(): number {
    return Math.max(this.#pausedUntil - this.#options.clock.monotonic(), 0)
  }

  /** Null for one who waits on. */
  #turnOf({ since }: Waiter): Admission | null {
    const { clock, window, closed } = this.#options
    const obstacle = closed()
    if (obstacle !== null) return { kind: 'LATER', ...obstacle }
    const pause = this.#leftMs()
    if (pause > holdMs) return { kind: 'LATER', retryAfterMs: pause, reason: tooFast }
    const most = Math.min(Math.max(Math.floor(this.#allowed), 1), window())
    if (pause === 0 && this.#inFlight < most) return { kind: 'GO' }
    if (clock.monotonic() - since < holdMs) return null
    return { kind: 'LATER', retryAfterMs: Math.max(pause, 1000), reason: fullWindow }
  }
}

const tooFast = 'the provider said that this is too fast'
const fullWindow = 'the window is full'
const noTime = 'there was no time left'
