import type { AccountId, AccountReach } from '../account.ts'
import type { Collection } from '../declaration/collection.ts'
import type { Consumer, Consumers } from './consumers.ts'
import type { Instant } from './clock.ts'
import type { JsonObject } from '../json.ts'
import type { LogReader, NewNotification } from './notification-log.ts'
import type { NamedLeases } from './leases.ts'
import type { Condition, Query, Scalar } from '../declaration/query.ts'
import type { QueryLimits } from './query-limits.ts'
import type { ReceiptRoutes, Receipts } from './receipts.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { QueueKey, Submissions } from './submissions.ts'
import type { DiskUse, StoreHealth } from './store-health.ts'
import type { Shard } from '../shard.ts'
import type { CounterBounds, CounterChange, Counters, Usage, UsageKind } from './counters.ts'

/** Key of an instance in its collection. `parent` is the identifier of its parent instance. */
export interface InstanceKey {
  readonly id: string
  readonly parent?: string | null
}

/** A value of a unique field, which names one instance. */
export interface UniqueValue {
  readonly field: string
  readonly value: string
}

/** An instance as the store keeps it. */
export interface Stored {
  readonly account: AccountId
  readonly parent: string | null
  readonly id: string
  /** The JSON text that is served, live fields apart. */
  readonly doc: string
  /** JSON text of the fields that are never shown (write-only and internal), or null. */
  readonly hidden: string | null
  /** Changes with `doc` and with nothing else: a strong validator (RFC 9110 section 8.8.1). */
  readonly revision: string
}

/** Filter of a list or a count. */
export type RowFilter = Pick<Query, 'conditions' | 'alternatives' | 'searchTerms'> & {
  /** Only instances that have an entry, by their identifier, in this nested collection below this parent. */
  readonly members?: MemberFilter
}

/** The instances that are members of something: entries of a nested collection name them. */
export interface MemberFilter {
  readonly entries: Collection
  readonly parent: string
}

/** Reads of one account, or of all: a consistent view for as long as the work lasts. */
export interface Reader {
  readonly account: AccountReach
  /**
   * Returns the instance with a key, or with the value of a unique field, under any parent. Over every account the
   * administrator's own comes first; by a unique field it covers collections whose instances have owners.
   */
  find(collection: Collection, key: InstanceKey | UniqueValue): MaybePromise<Stored | null>
  list(
    collection: Collection,
    parent: string | null,
    query: Query & RowFilter,
  ): Promise<readonly Stored[]>
  count(collection: Collection, parent: string | null, filter: RowFilter): Promise<number>
  /** Returns the cursor of a webhook; null if there is none. */
  findConsumer(account: AccountId, webhookId: string): Promise<Consumer | null>
  /** Returns the counters of these subjects; subjects without counters are omitted. */
  findCounters(
    account: AccountId,
    subjects: readonly string[],
  ): Promise<ReadonlyMap<string, Counters>>
  /** Measures a part of what an account uses: `rows` rows after the row `after`, empty for the first. */
  usage(account: AccountId, kind: UsageKind, after: string, rows: number): Promise<Usage>
  /** The accounts that sent from an address within `rememberedMs` before `at`, up to `limit`. */
  sendersFrom(address: string, at: Instant, limit: number): Promise<readonly AccountId[]>
}

/** Reads and writes of one account within a transaction. Each read sees the writes before it. */
export interface Writer extends Reader {
  readonly account: AccountId
  /**
   * Saves a new or changed instance. `instance` is served, `hidden` is not. Throws
   * `UniqueViolation` if another instance has the value of a unique field.
   */
  save(
    collection: Collection,
    key: InstanceKey,
    instance: JsonObject,
    hidden: JsonObject | null,
  ): MaybePromise<Stored>
  /**
   * Adds instances of an expiring collection, with generated identifiers. An existing one stays as
   * it is, because a commit may be repeated after it succeeded.
   */
  add(collection: Collection, parent: string | null, added: readonly NewInstance[]): Promise<void>
  /**
   * Keeps an instance that is to be removed from being referred to, until the transaction is over: those
   * who do so already are seen from here on. Without a key it waits until no other transaction holds the
   * collection in the account, and holds it: what the others committed is read from here on.
   */
  lock(collection: Collection, key: InstanceKey | null): Promise<void>
  /**
   * Removes an instance and everything nested in it; returns false if there was none. With a message it removes
   * its submission, claimed or not, and the receipts that are expected for it; with a webhook its consumer and
   * dead letters; with an account all that it owns.
   */
  remove(collection: Collection, key: InstanceKey): Promise<boolean>
  /**
   * Enqueues a message for submission at a time; a repetition changes time and queue. It is late if
   * it is not claimed before `lateAt`.
   */
  enqueue(
    messageId: string,
    dueAt: Instant,
    place?: QueueKey,
    lateAt?: Instant | null,
  ): Promise<void>
  /** Dequeues a message; returns null if it was not enqueued, or is claimed. */
  dequeue(messageId: string): Promise<QueueKey | null>
  /** Appends to the notification log. */
  notify(notification: NewNotification): Promise<void>
  /**
   * Begins to count under these names for a subject, from 0; what is counted already stays. Without names
   * it ends the counting.
   */
  setCounters(subject: string, names: readonly string[]): Promise<void>
  /**
   * Adds to a count, or takes from it where `by` is negative. Others who count at the same time are not
   * overtaken. Nothing is counted for a subject that has ended, or never begun: the result is null. With
   * bounds the count is locked until the transaction ends; without them the result is always null.
   */
  addToCounter(
    subject: string,
    name: string,
    by: number,
    bounds?: CounterBounds,
  ): Promise<CounterChange | null>
  /** Remembers that this account sent from an address: what comes back to it finds the account. */
  sentFrom(address: string, at: Instant): Promise<void>
}

/** An instance that was just made, with its identifier. */
export interface NewInstance extends JsonObject {
  readonly id: string
}

/** A transaction. Each write names its account; only the loops touch several. */
export interface Transaction {
  in(account: AccountId): Writer
  /** Reads over every account, what this transaction wrote included. */
  readonly everywhere: Reader
  readonly submissions: Submissions
  readonly receipts: Receipts
  readonly consumers: Consumers
  readonly leases: NamedLeases
  /**
   * Recalls a message, named by its submission, on every node after the commit: if it still waits
   * to leave, it must not leave.
   */
  recall(submissionId: string): void
}

/**
 * Work that a commit left. Listeners only wake up and read it from the store. They run before the
 * callers of the committed transactions continue.
 */
export interface Commit {
  /** The accounts whose notification log grew. */
  readonly notified: ReadonlySet<AccountId>
  /** The collections, by qualified name, in which something was written. */
  readonly changed: ReadonlySet<string>
  /** The earliest time at which a submission that was added is due, or null. */
  readonly submissionDueAt: Instant | null
  /** The submissions that were called back. */
  readonly recalled: readonly string[]
}

/** A key with its account, as credentials are checked against. */
export interface KeyRecord {
  readonly key: Stored
  /** Null for an account that was never made as an instance, such as the administrator's own. */
  readonly account: Stored | null
}

/** `TOGETHER` shares a commit with other short tasks. `ALONE` sees what earlier ones appended to the log. */
export type CommitMode = 'ALONE' | 'TOGETHER'

/** A page of a list. */
export interface StoredPage {
  readonly instances: readonly Stored[]
  /** The sort values of the last row examined if the budget ended first; the list continues after it. */
  readonly examinedTo: readonly Scalar[] | null
}

/** What is left after a slice of maintenance. */
export interface Maintained {
  /** There may be more to remove. */
  readonly isMore: boolean
  /** False if old instances of passing collections are left, which must be removed individually. */
  readonly arePassed: boolean
  /** Why something was not done, such as on a server that is unavailable; null if all was done. */
  readonly failure: unknown
}

/** Store of all data. When the promise of `transact` resolves, its result is durable. */
export interface Store extends AsyncDisposable {
  readonly name: string
  /** True if other processes can use it concurrently. */
  readonly isShared: boolean
  read<T>(account: AccountReach, work: (reader: Reader) => MaybePromise<T>): Promise<T>
  /**
   * Reads a page outside any transaction. Expensive reads do not block the event loop and take turns by
   * account. Throws `QueryTimeout` if the budget ends, unless the page may be partial. A page that exceeds
   * `pageLengthMax` may end early, or throw `PageTooLarge`.
   */
  page(
    account: AccountReach,
    collection: Collection,
    parent: string | null,
    query: Query & RowFilter,
    limits: QueryLimits,
  ): Promise<StoredPage>
  /** Counts like `page` reads. Throws `QueryTimeout` if the budget ends. */
  count(
    account: AccountReach,
    collection: Collection,
    parent: string | null,
    filter: RowFilter,
    limits: QueryLimits,
  ): Promise<number>
  /**
   * Runs `work` in a transaction; what it throws undoes all of it. Inside only the store is awaited,
   * never the network: other writers wait. Throws `StoreUnavailable` when nothing can be written. With a
   * shard, reads and claims over several accounts cover its accounts, and all writes concern them.
   */
  transact<T>(
    work: (transaction: Transaction) => MaybePromise<T>,
    mode?: CommitMode,
    shard?: Shard,
  ): Promise<T>
  /** Returns the shards; each can fail alone. They change while a distributed store is rebalanced. */
  shards(): readonly Shard[]
  /** The shard with the rows of an account. */
  shardOf(account: AccountId): Shard
  /** The key whose secret has this SHA-256 digest, in base64url. */
  findKey(secretDigest: string): MaybePromise<KeyRecord | null>
  readonly log: LogReader
  /** Only distributed stores have it. */
  readonly routes?: ReceiptRoutes
  /** Only stores that other programs use too have it. */
  readonly health?: StoreHealth
  /** Measures its files. Only stores that consist of files have it. */
  readonly disk?: () => Promise<DiskUse>
  /**
   * Removes what is older than `before` (`logBefore` in the log), at most `limit` rows of a kind: entries of the log
   * with their dead letters, receipts that no part matches, and parts with an outcome whose receipts were due. A store
   * with partitions also drops days of passing collections, up to a day later. What one server cannot do, others do.
   */
  maintain(before: Instant, limit: number, logBefore?: Instant): Promise<Maintained>
  /** Calls `listener` after each commit, of any node, that left something to do; returns how to stop. */
  onCommit(listener: (commit: Commit) => void): () => void
}

/** A value of a unique field that another instance has. */
export class UniqueViolation extends Error {
  override readonly name = 'Taken'
  readonly field: string

  constructor(field: string) {
    super(`another instance has this ${field}`)
    this.field = field
  }
}

/** A read that used up its time budget, or whose client disconnected. */
export class QueryTimeout extends Error {
  override readonly name = 'QueryTimeout'
}

/** The store cannot be reached or written. `message` is for the log, not for clients. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  /** True if only one of several servers is unavailable: what others hold can be read and written. */
  readonly isInPart: boolean

  constructor(message: string, options: ErrorOptions & { readonly isInPart?: boolean } = {}) {
    super(message, options)
    this.isInPart = options.isInPart ?? false
  }
}

/** A query that asks for the instances with the values given, and nothing else. */
export function where(conditions: readonly Condition[], limit: number): Query {
  const sort = [{ path: ['id'], direction: 'asc' }] as const
  return { conditions, searchTerms: [], sort, start: { offset: 0 }, limit }
}
