import { builtIn } from '../../../src/collections/built-in.ts'
import { deliveries, type DeliveryAttempt } from '../../../src/collections/deliveries.ts'
import { webhooks } from '../../../src/collections/webhooks.ts'
import { defaultAccount } from '../../../src/core/account.ts'
import { typeIds } from '../../../src/core/id.ts'
import type { NodeMembers } from '../../../src/core/ports/nodes.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { where, type Store } from '../../../src/core/ports/store.ts'
import { timestamp } from '../../../src/core/timestamp.ts'
import { startDispatcher, type Dispatcher } from '../../../src/delivery/workers/dispatcher.ts'
import type { LeaseTimes } from '../../../src/delivery/workers/leases.ts'
import { deliveryEvents } from '../../../src/delivery/workers/events.ts'
import { answered, type Posted, type PostRequest } from '../../../src/delivery/egress/post.ts'
import {
  initialProgress,
  progressText,
  readProgress,
  type WebhookProgress,
} from '../../../src/delivery/progress/progress.ts'
import { defaultSchedule } from '../../../src/delivery/attempts/schedule.ts'
import type { TurnLimits } from '../../../src/delivery/workers/concurrency-limiter.ts'
import { memoryStore } from '../../oracle/memory-store.ts'
import { awaitingStore } from '../../support/awaiting-store.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import {
  patientClock,
  settle,
  virtualClock,
  type VirtualClock,
} from '../../support/virtual-clock.ts'

/** Nodes send each other notices every 10 ms. */
const noticeMs = 15

/** The account that the tests act in. */
export const ours = defaultAccount

/** A secret for webhooks of tests. */
export const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

/** A request as a receiver got it. */
export interface Sent {
  readonly url: string
  readonly webhookId: string
  readonly messageIds: readonly string[]
  /** Milliseconds since the test began. */
  readonly at: number
  readonly request: PostRequest
}

/** What a receiver makes of a request: a status, or all that can come of one. */
export type Receiver = (sent: Sent) => number | Posted | Promise<number | Posted>

/** What a dispatcher of a test may have of its own. */
export interface StartOptions {
  readonly owner?: string
  readonly clock?: VirtualClock
  readonly store?: Store
  readonly limits?: TurnLimits
  /** For tests that last for days: looking after leases every few seconds is most of their work. */
  readonly leaseTimes?: LeaseTimes
  /** The nodes that it shares webhooks with. */
  readonly members?: NodeMembers
}

/** A store, a clock and receivers for the tests of deliveries; it ends with the test. */
export class World {
  readonly clock
  readonly random
  readonly newId
  readonly store: Store
  /** Every request, in the order in which they were sent. */
  readonly sent: Sent[] = []
  /** What was logged as a fault. */
  readonly faults: unknown[] = []
  readonly #receivers = new Map<string, Receiver>()
  readonly #started: Dispatcher[] = []
  readonly #began

  constructor(
    t: { after(end: () => Promise<void>): void },
    { seed = 1, store = memoryStore(builtIn) } = {},
  ) {
    this.clock = store.isShared
      ? patientClock(() => store.health?.pools() ?? [], noticeMs)
      : virtualClock()
    this.#began = this.clock.now()
    this.random = seededRandom(seed)
    this.newId = typeIds(this.clock, this.random)
    this.store = awaitingStore(store)
    t.after(async () => {
      await this.stop()
      await store[Symbol.asyncDispose]()
    })
  }

  /** Decides what a receiver answers from now on; without it, it answers 204. */
  receive(url: string, receiver: Receiver): void {
    this.#receivers.set(url, receiver)
  }

  /** Lets what was begun come to its end: over a server that takes a moment, whatever the rounds. */
  settle(rounds: number): Promise<void> {
    return this.store.isShared ? this.clock.advance(0) : settle(rounds)
  }

  /** Lets things take their course, without time passing, until this holds. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    for (let left = 200; left > 0; left -= 1) {
      if (await holds()) return
      await this.settle(1)
    }
    throw new Error('it never came to this')
  }

  /** Makes a webhook; its receiver stands at `https://<id>.test/`. */
  async addWebhook(id: string, given: JsonObject = {}): Promise<void> {
    await this.store.transact(async (transaction) => {
      const at = timestamp(this.clock.now())
      const url = `https://${id}.test/`
      const state = { state: 'ACTIVE', stateReason: null, createdAt: at, updatedAt: at }
      const hidden = { headerValues: {}, secrets: [{ secret, until: null }] }
      const webhook = { id, url, active: true, ...state, ...given }
      await transaction.in(ours).save(webhooks, { id }, webhook, hidden)
      await transaction.consumers.put(ours, id, progressText(initialProgress))
    })
  }

  /** Changes what is stored of a webhook and tells its dispatcher, as the rules do. */
  async change(
    id: string,
    given: JsonObject,
    change: (progress: WebhookProgress) => WebhookProgress,
  ) {
    await this.store.transact(async (transaction) => {
      const writer = transaction.in(ours)
      const stored = await writer.find(webhooks, { id })
      const hidden: JsonObject = JSON.parse(stored?.hidden ?? '{}')
      const instance = { ...JSON.parse(stored?.doc ?? '{}'), ...given }
      await writer.save(webhooks, { id }, instance, hidden)
      const consumer = await transaction.everywhere.findConsumer(ours, id)
      const progress = readProgress(consumer?.progress ?? '')
      await transaction.consumers.put(ours, id, progressText(change(progress)))
    })
    await this.settle(8)
  }

  /** Appends a notification for each message. */
  async notify(...messageIds: readonly string[]): Promise<void> {
    await this.store.transact(async (transaction) => {
      for (const messageId of messageIds) {
        const record = JSON.stringify({ id: messageId, type: 'SENT' })
        const at = this.clock.now()
        await transaction
          .in(ours)
          .notify({ type: 'SENT', status: 'DELIVERED', messageId, at, record })
      }
    })
    await this.settle(8)
  }

  /** Starts a dispatcher. */
  async start(options: StartOptions = {}): Promise<Dispatcher> {
    const { clock = this.clock, owner = 'node_1', store = this.store, ...given } = options
    const dispatcher = startDispatcher({
      store,
      clock,
      owner,
      random: this.random,
      newId: this.newId,
      events: deliveryEvents((level, event, fields) => {
        if (level === 'error') this.faults.push([event, fields])
      }),
      post: (request, signal) => this.#post(request, signal),
      recordIn: (_, record) => record,
      schedule: defaultSchedule,
      userAgent: 'Nuncio/test',
      ...given,
    })
    this.#started.push(dispatcher)
    await this.settle(8)
    return dispatcher
  }

  /** Stops every dispatcher, calling off what is in flight. */
  async stop(): Promise<void> {
    const stopped = Promise.all(this.#started.splice(0).map((each) => each.stop(0)))
    await this.clock.advance(0)
    await stopped
  }

  /** The messages that a receiver was sent, in their order, repetitions included. */
  received(id: string): readonly string[] {
    return this.sent
      .filter(({ url }) => url === `https://${id}.test/`)
      .flatMap(({ messageIds }) => messageIds)
  }

  /** A webhook as it is stored. */
  async webhook(id: string): Promise<JsonObject> {
    const stored = await this.store.read(ours, (reader) => reader.find(webhooks, { id }))
    return JSON.parse(stored?.doc ?? 'null')
  }

  /** What is remembered of a webhook. */
  async progress(id: string): Promise<WebhookProgress> {
    const consumer = await this.store.read(ours, (reader) => reader.findConsumer(ours, id))
    return readProgress(consumer?.progress ?? '')
  }

  /** How many notifications are behind the cursor as it is stored. */
  async lag(id: string): Promise<number> {
    const consumer = await this.store.read(ours, (reader) => reader.findConsumer(ours, id))
    const everything = { types: ['SENT', 'RECEIVED'], statuses: ['DELIVERED'] }
    return this.store.log.count(ours, consumer?.position ?? null, everything)
  }

  /** The attempts on record, the oldest first. */
  async deliveries(id: string): Promise<readonly DeliveryAttempt[]> {
    const listed = await this.store.read(ours, (reader) =>
      reader.list(deliveries, id, where([], 10_000)),
    )
    return listed.map(({ doc }) => JSON.parse(doc))
  }

  async #post(request: PostRequest, signal: AbortSignal): Promise<Posted> {
    const url = request.url.href
    const records: { id: string }[] = JSON.parse(Buffer.from(request.body).toString())
    const sent = {
      url,
      webhookId: request.headers['webhook-id'] ?? '',
      messageIds: records.map(({ id }) => id),
      at: this.clock.now() - this.#began,
      request,
    }
    this.sent.push(sent)
    const calledOff = new Promise<number>((resolve) => {
      signal.addEventListener('abort', () => resolve(0), { once: true })
    })
    const receiver = this.#receivers.get(url) ?? (() => 204)
    const answer = await Promise.race([receiver(sent), calledOff])
    return typeof answer === 'number' ? status(answer) : answer
  }
}

/** What comes of a request that is answered with a status. */
export function status(code: number, retryAfter: string | null = null): Posted {
  return { outcome: answered(code, retryAfter), response: '' }
}

/** Leases that are seldom looked after. */
export const unhurried: LeaseTimes = {
  leaseMs: 86_400_000,
  renewMs: 21_600_000,
  pollMs: 21_600_000,
}

/** The names of so many messages. */
export function messageNames(count: number, prefix = 'm'): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index + 1}`)
}
