import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import type { NextAction } from '../attempts/next-action.ts'
import { servedWebhook, type ServedWebhook } from './served-webhook.ts'
import { takeTurn } from './serve-webhook.ts'

/** Minimum interval between checks of a filling batch, in milliseconds. */
const fillCheckMs = 50

/** Pause after an error, in milliseconds. */
const faultMs = 5000

/** One webhook that this node serves: at most one request of it is in flight. */
export class WebhookWorker {
  /** Lease that it serves. */
  readonly consumer: LeasedConsumer
  readonly #parts: DeliveryParts
  readonly #served: ServedWebhook
  readonly #onOver: () => void
  #rest: NextAction | 'WORKING' = 'WORKING'
  #isEnded = false
  #working: Promise<void>
  #cancelTimer = (): void => {}

  /** Serves a webhook after `ready`, until it is ended or lost; then calls `onOver`. */
  constructor(
    consumer: LeasedConsumer,
    ready: Promise<void>,
    parts: DeliveryParts,
    onOver: () => void,
  ) {
    this.consumer = consumer
    this.#parts = parts
    this.#served = servedWebhook(consumer, parts.store.log, parts.clock)
    this.#onOver = onOver
    this.#working = ready.then(() => this.#takeTurns())
  }

  /** True after `end` was called. */
  get isEnded(): boolean {
    return this.#isEnded
  }

  /** True if no request is in flight. */
  get isResting(): boolean {
    return this.#rest !== 'WORKING'
  }

  /** Something was appended to its account's log. */
  wake(): void {
    const isNews = !this.#served.hasNews
    this.#served.hasNews = true
    const rest = this.#rest
    if (rest === 'WORKING') return
    if (rest.kind === 'IDLE') this.#goOn()
    if (rest.kind === 'FILLING' && isNews) {
      this.#goOnAt(Math.min(rest.until, this.#parts.clock.monotonic() + fillCheckMs))
    }
  }

  /** Starts nothing new. Resolves when no request is in flight. */
  async end(): Promise<void> {
    this.#isEnded = true
    this.#cancelTimer()
    if (this.#rest !== 'WORKING') this.#onOver()
    await this.#working
  }

  async #takeTurns(): Promise<void> {
    let rest: NextAction = { kind: 'AGAIN' }
    while (rest.kind === 'AGAIN' || (rest.kind === 'IDLE' && this.#served.hasNews)) {
      rest = this.#isEnded ? { kind: 'OVER' } : await this.#takeTurn()
    }
    this.#rest = rest
    if (this.#isEnded || rest.kind === 'OVER') return this.#onOver()
    if ('until' in rest && rest.until !== null) this.#goOnAt(rest.until)
  }

  async #takeTurn(): Promise<NextAction> {
    const { clock, events, node } = this.#parts
    try {
      return await takeTurn(this.#served, this.#parts)
    } catch (error) {
      if (!node.aborting.aborted) events.failed(this.#served.consumer.webhookId, error)
      return { kind: 'LATER', until: clock.monotonic() + faultMs }
    }
  }

  #goOn(): void {
    this.#cancelTimer()
    this.#rest = 'WORKING'
    this.#working = this.#takeTurns()
  }

  #goOnAt(until: number): void {
    const { clock } = this.#parts
    this.#cancelTimer()
    this.#cancelTimer = clock.after(Math.max(until - clock.monotonic(), 0), () => this.#goOn())
  }
}
