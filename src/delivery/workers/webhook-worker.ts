import type { LeasedConsumer } from '../../core/ports/consumers.ts'
import { Flow } from '../attempts/flow.ts'
import { ReplayFlow } from '../attempts/replay-flow.ts'
import type { ReceiverHealth } from './concurrency-limiter.ts'
import type { DeliveryParts } from './delivery-parts.ts'
import {
  type DeliveryContext,
  mayReplay,
  type NextAction,
  readTarget,
  servedWebhook,
  type ServedWebhook,
} from './served-webhook.ts'

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
    this.#served = servedWebhook(consumer, parts.clock)
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
    if (rest.kind === 'FILLING' && isNews) this.#goOnSoon(rest.until)
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
    if (rest.kind === 'FILLING' && this.#served.hasNews) return this.#goOnSoon(rest.until)
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

  /** Checks after a moment whether the batch is full, at `until` at the latest. */
  #goOnSoon(until: number): void {
    this.#goOnAt(Math.min(until, this.#parts.clock.monotonic() + fillCheckMs))
  }

  #goOnAt(until: number): void {
    const { clock } = this.#parts
    this.#cancelTimer()
    this.#cancelTimer = clock.after(Math.max(until - clock.monotonic(), 0), () => this.#goOn())
  }
}

/**
 * Serves a webhook until nothing can be sent, or others wait: reads from the cursor, sends, commits
 * the outcomes; then the same for replays. It holds records in memory only during a turn.
 */
async function takeTurn(served: ServedWebhook, parts: DeliveryParts): Promise<NextAction> {
  const target = await readTarget(served, parts)
  if (target === null) return { kind: 'OVER' }
  if (!target.active || served.progress.disabled !== null) return { kind: 'DORMANT' }
  if (served.dueAt > parts.clock.monotonic()) return { kind: 'LATER', until: served.dueAt }

  const slot = await parts.limiter.take(target.url.origin, healthOf(served, parts))
  try {
    const context = { served, target, slot, parts }
    return await thenAgain(await sendNew(context), context)
  } finally {
    slot.end()
  }
}

/** Validity of a success, in milliseconds. */
const provenMs = 3_600_000

/** Returns the expected behaviour of the receiver for the next request. */
function healthOf(served: ServedWebhook, { clock }: DeliveryParts): ReceiverHealth {
  const { replays, failingSince, lastSuccessAt } = served.progress
  const replayFails = (replays[0]?.flow.failingSince ?? null) !== null
  if (replayFails && mayReplay(served, clock)) return 'FAILING'
  if (failingSince !== null) return 'FAILING'
  if (lastSuccessAt === null) return 'UNPROVEN'
  return Math.abs(clock.now() - lastSuccessAt) < provenMs ? 'PROVEN' : 'UNPROVEN'
}

async function sendNew(context: DeliveryContext): Promise<NextAction> {
  const flow = new Flow(context)
  try {
    return await flow.run()
  } finally {
    await flow.end()
  }
}

/** Sends again, where that is due and what happens does not fail. */
async function thenAgain(rest: NextAction, context: DeliveryContext): Promise<NextAction> {
  const { served, parts } = context
  const goesOn = rest.kind === 'AGAIN' || rest.kind === 'IDLE' || rest.kind === 'FILLING'
  if (!goesOn) return rest
  const now = mayReplay(served, parts.clock)
  const again = now ? await new ReplayFlow(context).run() : waiting(served)
  if (again.kind !== 'IDLE') return again
  if (again.until === null || rest.kind === 'AGAIN') return rest
  return { ...rest, until: Math.min(rest.until ?? Infinity, again.until) }
}

/** A replay whose time has not come. */
function waiting({ progress, replayDueAt }: ServedWebhook): NextAction {
  const waits = progress.replays.length > 0 && progress.failingSince === null
  return { kind: 'IDLE', until: waits ? replayDueAt : null }
}
