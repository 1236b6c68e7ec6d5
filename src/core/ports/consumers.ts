import type { AccountId } from '../account.ts'
import type { Instant } from './clock.ts'
import type { LogPosition } from './notification-log.ts'

/** A webhook as a reader of the log: how far it is, and what its dispatcher must remember. */
export interface Consumer {
  readonly account: AccountId
  readonly webhookId: string
  /** All that the webhook wants up to here is acknowledged or set aside. */
  readonly position: LogPosition
  /** What the dispatcher keeps between attempts, as JSON text; opaque to the store. */
  readonly progress: string
}

/** A consumer held by one node. The fence grows with every change of hands. */
export interface LeasedConsumer extends Consumer {
  readonly fencingToken: number
}

/** A notification that a webhook's receiver refused too often: where it stands, and when it happened. */
export interface DeadLetter {
  readonly position: LogPosition
  readonly at: Instant
}

/** The webhooks' places in the log, and which node serves which webhook. */
export interface Consumers {
  /** Puts a new webhook behind all that is committed. */
  add(account: AccountId, webhookId: string, progress: string): Promise<void>
  find(account: AccountId, webhookId: string): Promise<Consumer | null>
  remove(account: AccountId, webhookId: string): Promise<void>
  /**
   * Takes for `owner`, until `until`, up to `limit` consumers that nobody holds at `now`.
   * Only those newly taken are returned.
   */
  lease(
    owner: string,
    now: Instant,
    until: Instant,
    limit: number,
  ): Promise<readonly LeasedConsumer[]>
  /** Holds all that `owner` still holds until `until`; returns how many that are. */
  renew(owner: string, now: Instant, until: Instant): Promise<number>
  /** How many consumers there are, and how many of them `owner` holds. */
  census(owner: string): Promise<{ readonly all: number; readonly held: number }>
  /** Lets others have these, where the leases with these fences still hold. */
  releaseConsumers(consumers: readonly LeasedConsumer[]): Promise<void>
  /** Gives up all that `owner` holds. */
  release(owner: string): Promise<void>
  /** Writes place and progress, if the lease with this fence still holds; false where it does not. */
  advance(consumer: LeasedConsumer): Promise<boolean>
  /** Writes progress and takes the consumer from its holder: for changes that a client makes. */
  reset(account: AccountId, webhookId: string, progress: string): Promise<void>
  /** Notes what was set aside for a webhook, for as long as the log keeps it. */
  addDeadLetters(
    account: AccountId,
    webhookId: string,
    entries: readonly DeadLetter[],
  ): Promise<void>
  /** Forgets of what was set aside what was delivered after all. */
  removeDeadLetters(
    account: AccountId,
    webhookId: string,
    positions: readonly LogPosition[],
  ): Promise<void>
}
