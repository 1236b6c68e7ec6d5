import type { ServedVersion } from '../../versions/versions.ts'
import { accountParameter } from '../../engine/account-reach.ts'
import { hash } from 'node:crypto'
import type { AccountId } from '../../core/account.ts'
import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import { type MaybePromise, andThen } from '../../core/maybe-promise.ts'
import { Problem } from '../../core/problem.ts'
import { dryRun } from '../../engine/dry-run.ts'
import type { EngineOperation, OperationRequest } from '../../engine/operation.ts'
import type { FilterParameter } from '../../engine/query/filter-parameters.ts'
import { type BytesInFlight, uncountedBytesMax } from '../server/bytes-in-flight.ts'
import { header, type PlainRequest, type PlainResponse } from '../server/request.ts'
import { asksCsv } from './check-head.ts'
import { type AccountRead, accountRead } from './chosen-account.ts'
import { csvList } from './csv-list.ts'
import type { VersionedRequest } from './edge.ts'
import { linkable, readLongQuery, withBody } from './long-query.ts'
import { type Preferences, readBody, readPreferences } from './read-request.ts'
import type { HttpRoute, RoutedResource } from './routes.ts'
import { translatedOperation } from './translated-operation.ts'

/** A request whose head passed all checks. */
export interface AllowedRequest {
  readonly path: string
  readonly resource: RoutedResource
  readonly route: HttpRoute
  readonly isLong: boolean
  readonly asSent: readonly FilterParameter[]
}

/** Runs the operation of a request that has arrived, in the account of its principal or in the one that it names. */
export function operate(
  versioned: VersionedRequest,
  allowed: AllowedRequest,
  request: PlainRequest,
  principal: Principal,
): MaybePromise<PlainResponse> {
  const { resource, route, isLong, asSent } = allowed
  const given = isLong ? withBody(asSent, readLongQuery(request, resource)) : asSent
  const read = { principal, parameters: given }
  const namesAccount = given.some(([name]) => name === accountParameter)
  if (route.access !== 'read' || !namesAccount) return run(versioned, allowed, request, read, given)
  return andThen(accountRead(read, resource, versioned.edge.engine), (own) =>
    run(versioned, allowed, request, own, given),
  )
}

/** Runs an operation in the account of its principal; `given` are all parameters, for links. */
function run(
  versioned: VersionedRequest,
  allowed: AllowedRequest,
  request: PlainRequest,
  read: AccountRead,
  given: readonly FilterParameter[],
): MaybePromise<PlainResponse> {
  const { edge, version } = versioned
  const { resource, route, isLong, asSent } = allowed
  const preferences = readPreferences(header(request, 'prefer'))
  const linked = isLong ? linkable(given, asSent) : asSent
  const sent = operationRequest(versioned, allowed, request, {
    ...read,
    asSent: linked,
    preferences,
  })
  // A read changes nothing, so it needs no dry run.
  const isDry = preferences.dryRun && route.access === 'write'
  const written = isDry ? dryRun(route.operation) : route.operation
  const operation = inVersion(written, resource, version)
  const respond = (one: OperationRequest): MaybePromise<PlainResponse> =>
    andThen(operation(one, edge.engine), (response) =>
      holdResponse(edge.inFlight, one.principal.account, response),
    )
  if (!asksCsv(request, resource, route)) return respond(sent)
  return csvList(sent, (one) => andThen(edge.authenticate(request), () => respond(one)), version)
}

/** Creates the request of an operation. Throws a `Problem` if the idempotency key is malformed. */
function operationRequest(
  { edge, version, correlation }: VersionedRequest,
  { resource, path }: AllowedRequest,
  request: PlainRequest,
  {
    principal,
    parameters,
    asSent,
    preferences,
  }: AccountRead & Pick<AllowedRequest, 'asSent'> & { readonly preferences: Preferences },
): OperationRequest {
  const key = request.method === 'POST' ? header(request, 'idempotency-key') : undefined
  return {
    compiled: resource.compiled,
    parent: resource.parent,
    id: resource.id ?? '',
    principal,
    conditions: {
      ifMatch: header(request, 'if-match'),
      ifNoneMatch: header(request, 'if-none-match'),
    },
    parameters,
    asSent,
    unknownFields: [],
    version: version.name,
    path,
    origin: { correlation, clientAddress: () => edge.clientAddress(request) },
    body: () => readBody(request),
    countExactly: preferences.countExactly,
    disconnected: request.gone,
    idempotency:
      key === undefined ? null : { key: checkKey(key), fingerprint: fingerprint(request) },
  }
}

/**
 * Returns an idempotency key if it is printable and at most 255 characters long, since it is
 * stored.
 */
function checkKey(key: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key
  throw new Problem(
    'invalid-request',
    'Idempotency-Key must be 1 to 255 printable ASCII characters, without spaces.',
  )
}

function fingerprint(request: PlainRequest): string {
  return hash('sha256', `${request.target}\n${hash('sha256', request.body, 'hex')}`, 'base64url')
}

/** Returns the operation as a version has it. */
function inVersion(
  operation: EngineOperation,
  { compiled }: RoutedResource,
  version: ServedVersion,
): EngineOperation {
  // Members are shown, and named in parameters, as the collection that they are of has them.
  const translation = version.translation(qualifiedName(compiled.members ?? compiled.declared))
  return translation === null ? operation : translatedOperation(operation, translation)
}

/**
 * Counts a large response for its account until it is written: clients that do not read would otherwise
 * fill the memory. Throws what `add` throws.
 */
export function holdResponse(
  inFlight: BytesInFlight,
  account: AccountId,
  response: PlainResponse,
): PlainResponse {
  const { body } = response
  if (typeof body !== 'string' || body.length <= uncountedBytesMax) return response
  const held = inFlight.hold(account)
  held.add(body.length)
  return { ...response, written: held.release }
}
