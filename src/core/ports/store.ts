import type { AccountId, AccountReach } from '../account.ts'
import type { Collection } from '../declaration/collection.ts'
import type { Buckets } from './buckets.ts'
import type { Consumer, Consumers } from './consumers.ts'
import type { CreditMove } from './credits.ts'
import type { Instant } from './clock.ts'
import type { IncomingParts } from './incoming-parts.ts'
import type { JsonObject } from '../json.ts'
import type { LogReader, NewNotification } from './notification-log.ts'
import type { NamedLeases } from './leases.ts'
import type { Nodes } from './nodes.ts'
import type { Condition, Query } from '../declaration/query.ts'
import type { Receipts } from './receipts.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { QueueKey, Submissions } from './submissions.ts'
import type { Counters } from './counters.ts'

/** Where an instance stands in its collection. `parent` is the identifier of the instance it is nested in. */
export interface InstanceKey {
  readonly id: string
  readonly parent?: string | null
}

/** An instance as the store keeps it. */
export interface Stored {
  readonly account: AccountId
  readonly parent: string | null
  readonly id: string
  /** The JSON text that is served, live fields apart. */
  readonly doc: string
  /** The JSON text of what is never shown (write-only and internal fields), or null. */
  readonly hidden: string | null
  /** Changes with `doc` and with nothing else: a strong validator (RFC 9110 section 8.8.1). */
  readonly revision: string
}

/** What narrows a list or a count. */
export type RowFilter = Pick<Query, 'conditions' | 'searchTerms'> & {
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
  /** Over every account the administrator's own comes first. */
  find(collection: Collection, key: InstanceKey): MaybePromise<Stored | null>
  /**
   * The instance with this value of a field declared unique, under whatever parent. As cheap as
   * `find`. Over every account it is for collections whose instances have owners.
   */
  findBy(collection: Collection, field: string, value: string): Promise<Stored | null>
  list(
    collection: Collection,
    parent: string | null,
    query: Query & RowFilter,
  ): Promise<readonly Stored[]>
  count(collection: Collection, parent: string | null, filter: RowFilter): Promise<number>
  /** How far a webhook is in the notification log; null where there is none. */
  findConsumer(account: AccountId, webhookId: string): Promise<Consumer | null>
  /** How many millionths of a credit an account has; null where they are not counted. */
  findCredits(account: AccountId): Promise<number | null>
  /** What is counted for these subjects of an account; those for which nothing is are left out. */
  findCounters(
    account: AccountId,
    subjects: readonly string[],
  ): Promise<ReadonlyMap<string, Counters>>
  /** The account that last sent from an address, if any did. For reads over every account. */
  lastSender(address: string): Promise<AccountId | null>
}

/** Reads and writes of one account within a transaction. Each read sees the writes before it. */
export interface Writer extends Reader {
  readonly account: AccountId
  /**
   * Puts an instance, new or changed. `instance` is what is served, `hidden` what is not.
   * Throws `Taken` where a field declared unique has a value that another instance has.
   */
  save(
    collection: Collection,
    key: InstanceKey,
    instance: JsonObject,
    hidden: JsonObject | null,
  ): MaybePromise<Stored>
  /**
   * Adds instances of a collection that passes, under identifiers that were drawn for them. One that is
   * there already stays as it is: a commit may be tried again that had come through.
   */
  add(collection: Collection, parent: string | null, added: readonly NewInstance[]): Promise<void>
  /**
   * Keeps an instance that is to be removed from being referred to, until the transaction is over: those
   * who do so already are seen from here on.
   */
  lock(collection: Collection, key: InstanceKey): Promise<void>
  /** Removes an instance with all that is nested in it; false where there was none. */
  remove(collection: Collection, key: InstanceKey): Promise<boolean>
  /**
   * Makes a message due for submission at the time given; again changes time and place. What is not
   * claimed before `lateAt` is late.
   */
  enqueue(
    messageId: string,
    dueAt: Instant,
    place?: QueueKey,
    lateAt?: Instant | null,
  ): Promise<void>
  /** Takes a message out of the submissions; null where it was not in, or is being handed over. */
  dequeue(messageId: string): Promise<QueueKey | null>
  /** Forgets the receipts that are expected for a message. */
  forgetReceipts(messageId: string): Promise<void>
  /** Appends to the notification log. */
  notify(notification: NewNotification): Promise<void>
  /** What was answered under an idempotency key of `owner` (a key's identifier), unless its time is over. */
  findIdempotentResponse(
    owner: string,
    key: string,
    now: Instant,
  ): Promise<IdempotentResponse | null>
  /** Keeps an answer under an idempotency key until `expiresAt`. */
  storeIdempotentResponse(
    owner: string,
    key: string,
    answer: IdempotentResponse,
    expiresAt: Instant,
  ): Promise<void>
  /** Begins to count the credits of this account, from none; or counts them no more. */
  countCredits(counted: boolean): Promise<void>
  /**
   * Adds to the credits of this account, in millionths, or takes from them where there are as many.
   * Until the transaction ends nobody else moves them; zero only waits for that, and looks.
   */
  moveCredits(micros: number): Promise<CreditMove>
  /** Begins to count under these names for a subject, from 0. */
  beginCounter(subject: string, names: readonly string[]): Promise<void>
  /**
   * Adds to a count, or takes from it where `by` is negative. Others who count at the same time are not
   * overtaken. Nothing is counted for a subject that has ended, or never begun.
   */
  addToCounter(subject: string, name: string, by: number): Promise<void>
  /** Ends the counting for a subject. */
  endCounter(subject: string): Promise<void>
  /** Remembers that this account sent from an address: what comes back to it finds the account. */
  sentFrom(address: string, at: Instant): Promise<void>
}

/** An instance that was just made, with its identifier. */
export interface NewInstance extends JsonObject {
  readonly id: string
}

/** An answer kept under an idempotency key. */
export interface IdempotentResponse {
  /** Digest of the request: the same key with another one is a fault of the client. */
  readonly fingerprint: string
  /** The answer as the edge wrote it; opaque to the store. */
  readonly answer: string
}

/** A transaction. Each write names its account; only the loops touch several. */
export interface Transaction {
  in(account: AccountId): Writer
  /** Reads over every account, what this transaction wrote included. */
  readonly everywhere: Reader
  readonly submissions: Submissions
  readonly receipts: Receipts
  readonly incomingParts: IncomingParts
  readonly consumers: Consumers
  readonly nodes: Nodes
  readonly leases: NamedLeases
  readonly buckets: Buckets
  /** Removes all that belongs to an account, its instance apart. */
  erase(account: AccountId): Promise<void>
  /**
   * Has a message, named by the identifier of its submission, called back on every node once this is
   * durable: where it still waits to leave it must not leave any more.
   */
  recall(submissionId: string): void
}

/**
 * What a commit left to do. Listeners only wake up by it: what there is to do they read from the store.
 * They are called before those whose transactions it holds are answered.
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

/**
 * How a work is best run: `TOGETHER` with others in one commit, where it is short and many come at
 * once; else it need not wait for others.
 */
export type CommitMode = 'ALONE' | 'TOGETHER'

/** Where everything is kept. What a promise of `transact` fulfils is durable. */
export interface Store extends AsyncDisposable {
  readonly name: string
  /** Whether other processes may have it open at the same time. */
  readonly isShared: boolean
  read<T>(account: AccountReach, work: (reader: Reader) => MaybePromise<T>): Promise<T>
  /**
   * Runs `work` in a transaction; what it throws undoes all of it. Inside only the store is awaited,
   * never the network: other writers wait. Throws `StoreUnavailable` when nothing can be written.
   */
  transact<T>(work: (transaction: Transaction) => MaybePromise<T>, pace?: CommitMode): Promise<T>
  /** The key whose secret has this SHA-256 digest, in base64url. */
  findKey(secretDigest: string): MaybePromise<KeyRecord | null>
  readonly log: LogReader
  /**
   * Removes at once the instances of a collection that pass and were made before `before`, some of them
   * perhaps a day later. False where some are not kept by day: those are removed one by one. Only stores
   * that keep them by day have it.
   */
  expire?(collection: Collection, before: Instant): Promise<boolean>
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

/** The store cannot be reached or written. `message` is for the log, not for clients. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** A query that asks for the instances with the values given, and nothing else. */
export function where(conditions: readonly Condition[], limit: number): Query {
  const sort = [{ path: ['id'], direction: 'asc' }] as const
  return { conditions, searchTerms: [], sort, start: { offset: 0 }, limit }
}
