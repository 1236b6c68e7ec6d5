import { hash } from 'node:crypto'
import type { Clock } from '../core/ports/clock.ts'
import type { Correlation } from '../core/correlation.ts'
import type { NewId } from '../core/id.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import { Problem } from '../core/problem.ts'
import type { Principal, RuleBook } from '../core/declaration/rules.ts'
import { type MaybePromise, andThen } from '../core/maybe-promise.ts'
import type { Reader, Store, Stored } from '../core/ports/store.ts'
import type { UsageEstimate } from '../core/account-limits.ts'
import { qualifiedName } from '../core/declaration/collection.ts'
import { allows } from '../core/account.ts'
import { isNotModified, type Conditions } from './conditions.ts'
import { readInstanceRequest } from './query/query-parameters.ts'
import type { MakePage } from './large-pages.ts'
import type { Catalogue } from './catalogue.ts'
import type { Compiled } from './compiled.ts'
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

/** Returns the response with an instance, which is rendered after all checks of the request. */
export function answerToRead(
  { conditions, parameters, id }: OperationRequest,
  compiled: Compiled,
  stored: Stored | null,
  reader: Reader,
  engine: Engine,
): MaybePromise<OperationResponse> {
  if (stored === null) throw notFound(compiled, id)
  const fields = readInstanceRequest(compiled, parameters)
  return andThen(renderOne(compiled, stored, reader, engine), ({ text, revision }) => {
    const headers = { etag: entityTag(revision) }
    if (isNotModified(conditions, revision)) return { status: 304, headers, body: null }
    return { status: 200, headers, body: fields === null ? text : pick(text, fields) }
  })
}

/**
 * Creates the response to a write: the fields of the instance, then those that only this response
 * shows.
 */
export function answerWith(
  status: number,
  compiled: Compiled,
  stored: Stored,
  reveal: JsonObject,
  reader: Reader,
  engine: Engine,
): MaybePromise<OperationResponse> {
  return andThen(renderOne(compiled, stored, reader, engine), ({ text, revision }) => {
    const shown = Object.keys(reveal).length > 0
    const body = shown ? JSON.stringify({ ...JSON.parse(text), ...reveal }) : text
    return { status, headers: { etag: entityTag(revision) }, body }
  })
}

/**
 * Returns the response to a change. If the key may not read, it shows only the identifier. An
 * entity tag would confirm a guess.
 */
export function answerToChange(
  request: OperationRequest,
  stored: Stored,
  reveal: JsonObject,
  reader: Reader,
  engine: Engine,
): MaybePromise<OperationResponse> {
  const { compiled, parent, principal } = request
  const { name } = (parent ?? request).compiled.declared
  if (allows(principal.scopes, name, 'read')) {
    return answerWith(200, compiled, stored, reveal, reader, engine)
  }
  return { status: 200, headers: {}, body: JSON.stringify({ id: stored.id, ...reveal }) }
}

/** Returns the entity tag of a representation (RFC 9110 section 8.8.3), always strong. */
export function entityTag(revision: string): string {
  return `"${revision}"`
}

/** An instance as it is served: its JSON text, and the revision of exactly that text. */
export interface Rendered {
  readonly text: string
  readonly revision: string
}

/** Renders instances of a collection with live fields, in their order: inserts those into the stored texts. */
export async function renderLive(
  compiled: Compiled,
  instances: readonly Stored[],
  reader: Reader,
  engine: Engine,
): Promise<readonly Rendered[]> {
  const rule = engine.rules[qualifiedName(compiled.declared)]?.live
  const live = rule === undefined ? [] : await rule(instances, reader)
  return instances.map((stored, index) => withLive(compiled, stored, live[index] ?? {}))
}

/** Renders one instance. */
function renderOne(
  compiled: Compiled,
  stored: Stored,
  reader: Reader,
  engine: Engine,
): MaybePromise<Rendered> {
  if (compiled.live.length === 0) return asStored(stored)
  return renderLive(compiled, [stored], reader, engine).then(
    ([rendered]) => rendered ?? asStored(stored),
  )
}

/** Renders an instance without live fields: its stored text. */
export function asStored({ doc, revision }: Stored): Rendered {
  return { text: doc, revision }
}

/** Keeps of a rendered instance only the fields named. */
export function pick(text: string, fields: readonly string[]): string {
  const instance: JsonObject = JSON.parse(text)
  return JSON.stringify(
    Object.fromEntries(fields.map((name): [string, JsonValue] => [name, instance[name] ?? null])),
  )
}

function withLive(compiled: Compiled, stored: Stored, live: JsonObject): Rendered {
  const instance: JsonObject = { ...JSON.parse(stored.doc), ...live }
  const text = JSON.stringify(
    Object.fromEntries(
      compiled.served.map((name): [string, JsonValue] => [name, instance[name] ?? null]),
    ),
  )
  const digest = hash('sha256', JSON.stringify(live), 'base64url').slice(0, 8)
  return { text, revision: `${stored.revision}.${digest}` }
}
