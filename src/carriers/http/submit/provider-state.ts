import type { CarrierCondition } from '../../../core/ports/carrier.ts'
import type { Clock, Instant } from '../../../core/ports/clock.ts'
import type { Random } from '../../../core/ports/random.ts'

/** Dependencies of a provider's state. */
export interface StandingOptions {
  readonly clock: Clock
  readonly random: Random
  /** Asks whether the provider can be reached: null, or why not. */
  readonly probe: () => Promise<string | null>
  /** Called when something can be sent again. */
  readonly onOpen: () => void
}

/** Maximum characters of a stored error. */
const detailMax = 500

/** The first wait for the next try, and the longest; each doubles the one before. */
const waitMsMin = 1000
const waitMsMax = 60_000

/** Consecutive requests without a response after which the provider counts as unreachable. */
const unansweredMax = 3

type State = CarrierCondition['state']

/** Reachability of a provider, which has no lasting link. It begins stopped. */
export class ProviderState {
  readonly #options: StandingOptions
  #state: State = 'STOPPED'
  #reason: string | null = 'it is not started'
  #since: Instant
  #lastError: CarrierCondition['lastError'] = null
  #isTrial = false
  #unanswered = 0
  #waitMs = waitMsMin
  #nextAt = 0
  #cancel = (): void => {}

  constructor(options: StandingOptions) {
    this.#options = options
    this.#since = options.clock.now()
  }

  /** Condition for those who read the carrier. */
  get condition(): Pick<CarrierCondition, 'state' | 'stateReason' | 'since' | 'lastError'> {
    return {
      state: this.#state,
      stateReason: this.#reason,
      since: this.#since,
      lastError: this.#lastError,
    }
  }

  /** It is not known yet that the provider takes something again: one request is tried. */
  get isTrial(): boolean {
    return this.#isTrial
  }

  /** Returns the reason and duration of a pause; null if requests may be sent. */
  closed(): { readonly reason: string; readonly retryAfterMs: number } | null {
    if (this.#state === 'BOUND' || this.#state === 'CONNECTING') return null
    const leftMs = Math.max(this.#nextAt - this.#options.clock.monotonic(), 0)
    // It is logged, and what the provider answered may quote a message.
    return { reason: `the carrier is ${this.#state}`, retryAfterMs: leftMs + downMs }
  }

  /** Starts probing the provider. */
  started(): void {
    this.#become('CONNECTING', 'the provider is being probed')
    this.#ask()
  }

  /** The provider answered something of a message. */
  answered(): void {
    this.#unanswered = 0
    this.#waitMs = waitMsMin
    this.#isTrial = false
    if (this.#state === 'STOPPED') return
    this.#cancel()
    this.#become('BOUND', null)
  }

  /** There was no connection: nothing is sent until there is one again. */
  unreachable(detail: string): void {
    this.#down(detail, () => this.#ask())
  }

  /** Records that the provider refuses the account for all messages: the next try comes later. */
  refused(detail: string): void {
    this.#down(detail, () => this.#open())
  }

  /** A request was not answered; several of them in a row count as no connection. */
  unanswered(detail: string): void {
    this.#unanswered += 1
    if (this.#unanswered < unansweredMax && !this.#isTrial) this.failed(detail)
    else this.#down(detail, () => this.#ask())
  }

  /** Something went wrong that says nothing of the provider as a whole. */
  failed(detail: string): void {
    this.#lastError = { at: this.#options.clock.now(), detail: shortened(detail) }
  }

  /** Stops all requests and probes. */
  stopped(): void {
    this.#cancel()
    this.#become('STOPPED', 'it was stopped')
  }

  #become(next: State, reason: string | null): void {
    if (next !== this.#state) this.#since = this.#options.clock.now()
    this.#state = next
    this.#reason = reason
  }

  #open(): void {
    if (this.#state === 'STOPPED') return
    this.#become('BOUND', null)
    this.#options.onOpen()
  }

  #down(detail: string, again: () => void): void {
    const { clock, random } = this.#options
    this.failed(detail)
    if (this.#state === 'STOPPED') return
    const isDown = this.#state === 'DOWN'
    this.#become('DOWN', shortened(detail))
    // Those that were under way together fail together.
    if (isDown && clock.monotonic() < this.#nextAt) return
    const delayMs = this.#waitMs * (1 - random.fraction() / 2)
    this.#waitMs = Math.min(this.#waitMs * 2, waitMsMax)
    this.#nextAt = clock.monotonic() + delayMs
    this.#isTrial = true
    this.#cancel()
    this.#cancel = clock.after(delayMs, again)
  }

  #ask(): void {
    void this.#options.probe().then((fault) => {
      if (this.#state === 'STOPPED' || this.#state === 'BOUND') return
      if (fault === null) return this.#open()
      this.#down(fault, () => this.#ask())
    })
  }
}

/** A provider's answer can have control characters. */
function shortened(detail: string): string {
  return detail.slice(0, detailMax).replaceAll(/\p{C}+/gu, ' ')
}

/** When a message comes again whose carrier is down, after the next try. */
const downMs = 1000
