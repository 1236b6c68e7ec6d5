import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'
import type { LogPosition } from './notification-log.ts'

/** A webhook as a reader of the log: how far it is, and what its dispatcher must remember. */
export interface Consumer {
  readonly account: AccountId
  readonly webhookId: string
  /** Every wanted record up to here is acknowledged or a dead letter. */
  readonly position: LogPosition
  /** State of the webhook worker between attempts, as JSON text; opaque to the store. */
  readonly progress: string
}

/** A consumer held by one node. The fence grows with every change of hands. */
export interface LeasedConsumer extends Consumer {
  readonly fencingToken: number
}

/** A wish of an owner to hold consumers. */
export interface ConsumerHold {
  readonly owner: string
  readonly now: Instant
  readonly until: Instant
  /** The number of owners that share the consumers. */
  readonly owners: number
  /** Maximum of new leases. */
  readonly limit: number
}

/** The consumers that an owner holds. */
export interface HeldConsumers {
  /** Only the new leases. */
  readonly leased: readonly LeasedConsumer[]
  /** How many it held before. */
  readonly held: number
  /** Its share of all consumers, rounded up. */
  readonly share: number
}

/** Position and time of a notification that a webhook's receiver refused too often. */
export interface DeadLetter {
  readonly position: LogPosition
  readonly at: Instant
}

/** Dead letters to record and to remove. */
export interface DeadLetterChange {
  readonly added?: readonly DeadLetter[]
  readonly removed?: readonly LogPosition[]
}

/** The webhooks' places in the log, and which node serves which webhook. */
export interface Consumers {
  /**
   * Adds a webhook, at the end of the committed log. Of a known one it writes the progress and takes
   * it from its holder: for changes that a client makes.
   */
  put(account: AccountId, webhookId: string, progress: string): Promise<void>
  /**
   * Holds all that the owner still holds at `now` until `until`, and leases to it consumers that are free, up
   * to its share.
   */
  hold(wish: ConsumerHold): Promise<HeldConsumers>
  /** Releases these, if their leases still hold; or all that an owner holds. */
  release(held: readonly LeasedConsumer[] | string): Promise<void>
  /**
   * Stores position and progress if the lease with this fencing token still holds; else returns
   * false. With them it records dead letters, for the log's retention, and removes those delivered later.
   */
  advance(consumer: LeasedConsumer, deadLetters?: DeadLetterChange): Promise<boolean>
}
