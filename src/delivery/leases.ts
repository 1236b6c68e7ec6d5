import type { Clock } from '../core/clock.ts'
import type { Position } from '../core/notification-log.ts'
import type { Store } from '../core/store.ts'
import type { Lanes } from './lanes.ts'

/** How long leases last and how often they are looked after, in milliseconds. */
export interface LeaseTimes {
  /** Another node takes over a webhook when its node was not heard of for so long. */
  readonly leaseMs: number
  readonly renewMs: number
  /** How often to look for webhooks that are free, and into the log in case a wake-up was lost. */
  readonly pollMs: number
}

/** There are three chances to renew a lease before it ends. */
export const defaultLeaseTimes: LeaseTimes = { leaseMs: 30_000, renewMs: 10_000, pollMs: 5_000 }

/** So many are taken in one transaction. */
const leaseMax = 500

/** What leases are kept with. */
export interface LeaseParts {
  readonly store: Store
  readonly clock: Clock
  /** Names this node among those over the same store, and this run of it. */
  readonly owner: string
  readonly leaseTimes?: LeaseTimes
}

/** The leases of one node: which webhooks it serves, and until when that surely holds. */
export class Leases {
  readonly #store: Store
  readonly #clock: Clock
  readonly #owner: string
  readonly #times: LeaseTimes
  /** On the monotonic clock, as all times here but those that the store is told. */
  #heldUntil = -Infinity
  #renewAt = -Infinity
  #pollAt = -Infinity
  /** The answer to a lease did not arrive: the store may hold more for this owner than it serves. */
  #isUncertain = false
  #lastEnd: Position | null = null

  constructor({ store, clock, owner, leaseTimes = defaultLeaseTimes }: LeaseParts) {
    this.#store = store
    this.#clock = clock
    this.#owner = owner
    this.#times = leaseTimes
  }

  /** Whether those that were taken surely hold still. */
  hold(): boolean {
    return this.#clock.monotonic() < this.#heldUntil
  }

  /** Renews them when it is time, serves what is free, and wakes what was not told of news. */
  async keep(served: Lanes): Promise<void> {
    if (!this.hold()) {
      await this.#startAnew(served)
    } else if (this.#isUncertain) {
      if ((await this.#renew()) !== served.count()) await this.#startAnew(served)
    } else if (this.#clock.monotonic() >= this.#renewAt) {
      await this.#renew()
    }
    await this.#take(served)
    await this.#wakeMissed(served)
  }

  /** How long to wait until they are looked after again, where nothing happens before. */
  get pollMs(): number {
    return this.#times.pollMs
  }

  /** Lets others have them. */
  async giveUp(): Promise<void> {
    await this.#store.transact(({ consumers }) => consumers.release(this.#owner))
  }

  async #startAnew(served: Lanes): Promise<void> {
    void served.end()
    const began = this.#clock.monotonic()
    await this.giveUp()
    this.#holdFrom(began)
  }

  async #renew(): Promise<number> {
    const began = this.#clock.monotonic()
    const now = this.#clock.now()
    const count = await this.#store.transact(({ consumers }) =>
      consumers.renew(this.#owner, now, now + this.#times.leaseMs),
    )
    this.#holdFrom(began)
    return count
  }

  #holdFrom(began: number): void {
    this.#heldUntil = began + this.#times.leaseMs
    this.#renewAt = began + this.#times.renewMs
  }

  /** What is taken is held for as long as the rest, so that all end together. */
  async #take(served: Lanes): Promise<void> {
    for (let taken = leaseMax; taken === leaseMax;) {
      const now = this.#clock.now()
      const until = Math.floor(now + this.#heldUntil - this.#clock.monotonic())
      this.#isUncertain = true
      const free = await this.#store.transact(({ consumers }) =>
        consumers.lease(this.#owner, now, until, leaseMax),
      )
      this.#isUncertain = false
      for (const consumer of free) served.serve(consumer)
      taken = free.length
    }
  }

  async #wakeMissed(served: Lanes): Promise<void> {
    if (this.#clock.monotonic() < this.#pollAt) return
    this.#pollAt = this.#clock.monotonic() + this.#times.pollMs
    const end = await this.#store.log.end()
    if (end !== this.#lastEnd) served.wakeAll()
    this.#lastEnd = end
  }
}
