import { defaultAccount, everyAccount, type AccountId, type AccountReach } from '../core/account.ts'
import type { Clock } from '../core/ports/clock.ts'
import type { Correlation } from '../core/correlation.ts'
import type { NewId } from '../core/id.ts'
import type { JsonObject } from '../core/json.ts'
import type { MakePage } from '../core/declaration/large-pages.ts'
import { Problem } from '../core/problem.ts'
import type { Principal, RuleBook } from '../core/declaration/rules.ts'
import type { MaybePromise } from '../core/maybe-promise.ts'
import type { Reader, Store } from '../core/ports/store.ts'
import type { UsageEstimate } from '../core/usage-estimate.ts'
import type { Catalogue } from './catalogue.ts'
import type { Compiled } from './compiled.ts'
import type { Conditions } from './conditions.ts'
import type { FilterParameter } from './query/filter-parameters.ts'

/** The dependencies of an operation. */
export interface Engine {
  readonly store: Store
  readonly catalogue: Catalogue
  readonly clock: Clock
  readonly newId: NewId
  readonly rules: RuleBook
  /** The time budget of a query, in milliseconds; without it, five seconds. */
  readonly queryTimeoutMs?: number
  /** Counts the octets of stored responses; without it they have no limit. */
  readonly idempotencyUse?: UsageEstimate
  /** Without it every page is built immediately. */
  readonly makePage?: MakePage
}

/** An authenticated and authorised request on a collection or an instance, as plain data. */
export interface OperationRequest {
  readonly compiled: Compiled
  /** The instance that this one is nested in, if any. */
  readonly parent: { readonly compiled: Compiled; readonly id: string } | null
  /** The identifier in the path; empty if the path ends with the collection. */
  readonly id: string
  readonly principal: Principal
  readonly conditions: Conditions
  readonly parameters: readonly FilterParameter[]
  /**
   * The parameters of the URI, for links to other pages. A long query has its parameters in the
   * body.
   */
  readonly asSent: readonly FilterParameter[]
  /** Fields that the client's version does not know: a replacement leaves them as they are. */
  readonly unknownFields: readonly string[]
  /** The version of the interface that the client speaks. */
  readonly version: string
  /** The path of the collection as it was requested, such as `/v1/messages`. */
  readonly path: string
  /** Parses the body; throws a `Problem` if it is not a JSON object. */
  readonly body: () => JsonObject
  readonly countExactly: boolean
  /** Returns the signal that aborts when the client disconnects. */
  readonly disconnected?: (() => AbortSignal) | undefined
  readonly idempotency: Idempotency | null
  /** The request's origin; absent for the service itself. */
  readonly origin?: RequestOrigin
}

/** Origin of a request. */
export interface RequestOrigin {
  readonly correlation: Correlation
  readonly clientAddress: () => string | null
}

/** A key that a client sends so that a repeated POST has one effect. */
export interface Idempotency {
  readonly key: string
  /** Digest of the request that the key came with. */
  readonly fingerprint: string
}

/** An answer, ready to be written. */
export interface OperationResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** One thing that can be done with a collection or an instance. */
export type EngineOperation = (
  request: OperationRequest,
  engine: Engine,
) => MaybePromise<OperationResponse>

/** Returns the accounts that a request can read. */
export function reachOf(request: OperationRequest): AccountReach {
  const { declared } = (request.parent ?? request).compiled
  if (declared.administratorsOnly) return defaultAccount
  return declared.owned && request.principal.administrator
    ? everyAccount
    : request.principal.account
}

/**
 * Returns the account in which a write on an instance works: for an administrator the account of
 * the instance, for all others their account.
 */
export function homeOf(request: OperationRequest, { store }: Engine): MaybePromise<AccountId> {
  const reach = reachOf(request)
  if (reach !== everyAccount) return reach
  const { compiled, id } = request.parent ?? request
  // A request that creates an instance has an empty identifier.
  if (id === '') return request.principal.account
  const { declared } = compiled
  const found = store.read(reach, (reader) => reader.find(declared, { id }))
  return found.then((stored) => stored?.account ?? request.principal.account)
}

/** Throws `not-found` unless the parent that the path names exists. */
export async function checkParent(request: OperationRequest, reader: Reader): Promise<void> {
  const { parent } = request
  if (parent === null) return
  const found = await reader.find(parent.compiled.declared, { id: parent.id })
  if (found === null) throw notFound(parent.compiled, parent.id)
}

/** Creates the same problem for a missing instance and for one of another account. */
export function notFound(compiled: Compiled, id: string): Problem {
  const { noun } = compiled.declared
  return new Problem('not-found', `There is no ${noun} ${JSON.stringify(id)}.`)
}
