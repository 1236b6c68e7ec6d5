import type { AccountLimits } from '../account-limits.ts'
import type { AccountId, AccountReach } from '../account.ts'
import type { Correlation } from '../correlation.ts'
import type { Clock } from '../ports/clock.ts'
import type { NewId } from '../id.ts'
import type { JsonObject } from '../json.ts'
import type { InputError } from '../problem.ts'
import type { QueryLimits } from '../ports/query-limits.ts'
import type { Reader, Stored, StoredPage, Transaction, Writer } from '../ports/store.ts'
import type { Query } from './query.ts'

/** Authenticated caller: the account, and whether the key has the scope `admin`. */
export interface Principal {
  readonly account: AccountId
  readonly keyId: string
  readonly scopes: readonly string[]
  readonly administrator: boolean
  /** When its key stops working; null or absent: never. */
  readonly expiresAt?: string | null
  /** The session that the request has instead of a key, if any. */
  readonly session?: string
  /** Who signed in for that session, if an OpenID provider knows it. */
  readonly person?: string
  /** The limits of the account; absent for the service itself, which has none. */
  readonly limits?: AccountLimits
}

/** A write on its way into the store. */
export interface Change {
  readonly method: 'POST' | 'PUT' | 'PATCH'
  /** The identifier of the instance that it is nested in, if any. */
  readonly parent: string | null
  /** The body as it came, read-only fields included. Of it nothing is checked but that it is JSON. */
  readonly body: JsonObject
  /** The fields that the client gave and may set, checked and normalised; write-only ones included. */
  readonly input: JsonObject
  /** Current instance; null if the change creates it. */
  readonly before: JsonObject | null
  readonly hiddenBefore: JsonObject | null
  /** The instance as it would be: input, else defaults; read-only fields as before, null in a new one. */
  readonly after: JsonObject
  readonly hiddenAfter: JsonObject | null
  /** Result of `ahead` of these rules; null without such a rule. */
  readonly ahead: JsonObject | null
}

/** A new instance that is asked for, before anything is written. */
export interface ProposedInstance {
  readonly input: JsonObject
  /** The instance that it would be nested in. */
  readonly parent: Stored | null
}

/** Result of a rule. */
export interface Ruled {
  readonly instance: JsonObject
  readonly hidden: JsonObject | null
  /** Fields for this response only, after the instance's fields, such as a new secret. */
  readonly reveal?: JsonObject
}

/** Dependencies of rules besides the change. */
export interface RuleContext {
  readonly principal: Principal
  /** The version of the interface that the client speaks, such as `v1`. */
  readonly version: string
  readonly clock: Clock
  readonly newId: NewId
  readonly writer: Writer
  readonly transaction: Transaction
  /** The request that the write belongs to; absent for the service itself. */
  readonly correlation?: Correlation | undefined
}

/**
 * Rules of one collection; the engine implements the rest. All functions except `ahead` run inside
 * the request's transaction, and refuse by throwing a `Problem`.
 */
export interface Rules {
  /**
   * Returns the faults that `write` would find, for a write that other faults refuse, so that one
   * response lists all. `after` and `input` lack the faulty fields. Changes nothing.
   */
  readonly faults?: (change: Change, context: RuleContext) => Promise<readonly InputError[]>
  /**
   * Does what a POST needs from outside, such as an answer over the network, before a transaction is
   * begun. What it returns is handed to `write`.
   */
  readonly ahead?: (asked: ProposedInstance) => Promise<JsonObject>
  /** Decides what a write stores. Returning `before` as it was means that nothing changed. */
  readonly write?: (change: Change, context: RuleContext) => Promise<Ruled>
  /** Checks a removal and does what goes with it. */
  readonly remove?: (before: Stored, context: RuleContext) => Promise<void>
  /** Returns a page of a collection whose instances are computed from others: none is stored, or counted. */
  readonly page?: (reach: AccountReach, query: Query, limits: QueryLimits) => Promise<StoredPage>
  /** Works out the live fields of instances, in their order. */
  readonly live?: (instances: readonly Stored[], reader: Reader) => Promise<readonly JsonObject[]>
}

/** The rules by qualified name of their collection. */
export type RuleBook = Readonly<Record<string, Rules>>
