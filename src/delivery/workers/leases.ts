import type { AccountId } from '../../core/account.ts'
import type { Clock, Instant } from '../../core/ports/clock.ts'
import { countOf, type NodeMembers } from '../../core/ports/nodes.ts'
import type { LogPosition } from '../../core/ports/notification-log.ts'
import type { HeldConsumers, LeasedConsumer } from '../../core/ports/consumers.ts'
import type { Store } from '../../core/ports/store.ts'

/** Lease duration and check intervals, in milliseconds. */
export interface LeaseTimes {
  /** Time without a heartbeat after which another node takes over a webhook. */
  readonly leaseMs: number
  readonly renewMs: number
  /** Interval of the look into the log, in case a wake-up was lost, and for free webhooks. */
  readonly pollMs: number
  /** Shorter interval of the look for free webhooks, if given. */
  readonly lookMs?: number
}

/** There are three chances to renew a lease before it ends. */
export const defaultLeaseTimes: LeaseTimes = { leaseMs: 30_000, renewMs: 10_000, pollMs: 5_000 }

/**
 * Times with several nodes. After the end of a node its leases last 8 s at most, and the others look each
 * second; they know within 9 s that it has gone (`beatTimes`), and look then. So its webhooks are served
 * again within 9 s and the time of four commits.
 */
export const sharedLeaseTimes: LeaseTimes = {
  leaseMs: 8000,
  renewMs: 2500,
  pollMs: 5000,
  lookMs: 1000,
}

/** Maximum leases per transaction. */
const leaseMax = 500

/** Dependencies of the leases. */
export interface LeaseParts {
  readonly store: Store
  readonly clock: Clock
  /** Names this node among those over the same store, and this run of it. */
  readonly owner: string
  readonly leaseTimes?: LeaseTimes
  /** Nodes that share the webhooks; without them this node serves all. */
  readonly members?: NodeMembers
}

/** The webhooks that this node serves. */
export interface WebhookWorkers {
  /** Starts to serve a webhook; if it was served already, after its request in flight. */
  serve(consumer: LeasedConsumer): void
  /** Something was appended to the log of an account. */
  wake(account: AccountId): void
  /** The accounts of the webhooks. */
  accounts(): readonly AccountId[]
  /** Returns the number of webhooks. */
  count(): number
  /** Returns the number of webhooks that are ending. */
  parting(): number
  /** Ends some webhooks, idle ones first. */
  part(count: number): readonly Parting[]
  /** Ends them all, and resolves when nothing is in flight. */
  end(): Promise<void>
}

/** Webhook that ends after its request in flight. */
export interface Parting {
  readonly consumer: LeasedConsumer
  readonly ended: Promise<void>
  /** Nothing of it is in flight. */
  readonly isResting: boolean
}

/** Leases of one node: the webhooks that it serves, and the time until which that is certain. */
export class Leases {
  readonly #store: Store
  readonly #clock: Clock
  readonly #owner: string
  readonly #times: LeaseTimes
  readonly #members: NodeMembers | null
  /** On the monotonic clock, like all times here except those passed to the store. */
  #heldUntil = -Infinity
  #renewAt = -Infinity
  #pollAt = -Infinity
  /** The end of the leases in the store. */
  #until: Instant = 0
  /** The answer to a lease did not arrive: the store may hold more for this owner than it serves. */
  #isUncertain = false
  #lastEnds: ReadonlyMap<AccountId, LogPosition> = new Map()

  constructor({ store, clock, owner, members, leaseTimes = defaultLeaseTimes }: LeaseParts) {
    this.#store = store
    this.#clock = clock
    this.#owner = owner
    this.#times = leaseTimes
    this.#members = members ?? null
  }

  /** Returns true if the leases are certain to hold. */
  hold(): boolean {
    return this.#clock.monotonic() < this.#heldUntil
  }

  /** Renews due leases, serves free webhooks, and wakes those that may have missed a wake-up. */
  async keep(served: WebhookWorkers): Promise<void> {
    if (!this.hold()) await this.#startAnew(served)
    while ((await this.#share(served)) === leaseMax);
    await this.#wakeMissed(served)
  }

  /** Returns the milliseconds until the next check. */
  get lookMs(): number {
    return this.#times.lookMs ?? this.#times.pollMs
  }

  /** Releases some webhooks, each once it has no request in flight; resolves when all are released. */
  async part(served: WebhookWorkers, count: number): Promise<void> {
    const parting = served.part(count)
    const resting = parting.filter(({ isResting }) => isResting)
    const giveBack = (consumers: readonly LeasedConsumer[]): Promise<void> =>
      this.#store.transact((transaction) => transaction.consumers.release(consumers))
    const together = Promise.all(resting.map(({ ended }) => ended)).then(() =>
      giveBack(resting.map(({ consumer }) => consumer)),
    )
    const others = parting.filter(({ isResting }) => !isResting)
    const each = others.map(({ consumer, ended }) => ended.then(() => giveBack([consumer])))
    await Promise.all([together, ...each])
  }

  /** Lets others have them. */
  async giveUp(): Promise<void> {
    await this.#store.transact(({ consumers }) => consumers.release(this.#owner))
  }

  async #startAnew(served: WebhookWorkers): Promise<void> {
    void served.end()
    await this.giveUp()
    this.#renewAt = -Infinity
  }

  /** Serves free webhooks up to the share of this node, and releases the rest. Returns how many it took. */
  async #share(served: WebhookWorkers): Promise<number> {
    const wasUncertain = this.#isUncertain
    const { leased, held, share } = await this.#holdDue()
    if (wasUncertain && held !== served.count()) {
      await this.#startAnew(served)
      return this.#share(served)
    }
    for (const consumer of leased) served.serve(consumer)
    const beyond = held - served.parting() - share
    // The next check retries a failed release.
    if (beyond > 0) void this.part(served, beyond).catch(() => {})
    return leased.length
  }

  /** Renews the leases if it is time. New leases end with the others, so that one renewal covers all. */
  async #holdDue(): Promise<HeldConsumers> {
    const began = this.#clock.monotonic()
    const now = this.#clock.now()
    const isDue = began >= this.#renewAt
    const until = isDue ? now + this.#times.leaseMs : this.#until
    const owners = this.#members === null ? 1 : countOf(this.#members, 'deliver')
    this.#isUncertain = true
    const held = await this.#store.transact(({ consumers }) =>
      consumers.hold({ owner: this.#owner, now, until, owners, limit: leaseMax }),
    )
    this.#isUncertain = false
    if (!isDue) return held
    this.#until = until
    this.#heldUntil = began + this.#times.leaseMs
    this.#renewAt = began + this.#times.renewMs
    return held
  }

  async #wakeMissed(served: WebhookWorkers): Promise<void> {
    if (this.#clock.monotonic() < this.#pollAt) return
    this.#pollAt = this.#clock.monotonic() + this.#times.pollMs
    const ends = await this.#store.log.ends(served.accounts())
    for (const [account, end] of ends) {
      if (end !== this.#lastEnds.get(account)) served.wake(account)
    }
    this.#lastEnds = ends
  }
}
