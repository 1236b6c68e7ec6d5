import type { Correlation } from '../../core/correlation.ts'
import type { Collection } from '../../core/declaration/collection.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import type { JsonValue } from '../../core/json.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Stored, Transaction } from '../../core/ports/store.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import { timestamp } from '../../core/timestamp.ts'
import { entityTag } from '../../engine/operation.ts'
import { readInput } from '../../engine/input.ts'
import { unauthorizedPage } from '../access/credentials.ts'
import { readBody } from '../routing/read-request.ts'
import {
  header,
  type IncomingRequest,
  type PlainRequest,
  type PlainResponse,
  received,
} from '../server/request.ts'
import { beginSession, type NewSession, type SignIn, type SignInParts } from './begin-session.ts'
import { isOverTls, sessionCookie } from './session-cookie.ts'

/** A request to begin a session. */
export interface SignInRequest {
  readonly request: IncomingRequest
  readonly path: string
  readonly version: string
  readonly correlation: Correlation
  /** Returns the principal of the key; throws if the request has no valid one. */
  readonly authenticate: () => MaybePromise<Principal>
}

/** Responds to `POST /v1/sessions`. */
export type SignInHandler = (asked: SignInRequest) => Promise<PlainResponse>

/**
 * Creates the operation of `POST /v1/sessions`, which sets a cookie. `codeDigest` returns the digest by which
 * the store knows a code.
 */
export function signIn(parts: SignInParts, codeDigest: (code: string) => string): SignInHandler {
  const { store, clock, collections, addressOf, throttle } = parts
  return async (asked) => {
    const { request, path } = asked
    checkNotForeign(request)
    const who = hasKey(request) ? await withKey(asked) : await withCode(asked)
    const origin = { correlation: asked.correlation, clientAddress: () => addressOf(request) }
    const begun = await store.transact(async (transaction) => {
      const holder = await who(transaction)
      return holder && beginSession(holder, { version: asked.version, origin }, transaction, parts)
    })
    if (begun === null) {
      throttle.failed(addressOf(request))
      throw unauthorizedPage('The code is wrong, used or older than ten minutes.')
    }
    return created(begun, path, isOverTls(request))
  }

  async function withKey({ request, authenticate }: SignInRequest): Promise<FindHolder> {
    const { account, scopes, keyId } = await authenticate()
    codeIn(await received(request, account), parts)
    return async (transaction) => {
      const key = await transaction.in(account).find(collections.keys, { id: keyId })
      if (key === null) throw noCredentials()
      return { account, scopes, key: { id: keyId, ...partsOf(key) } }
    }
  }

  async function withCode({ request }: SignInRequest): Promise<FindHolder> {
    throttle.check(addressOf(request))
    const code = codeIn(await received(request, null), parts)
    if (typeof code !== 'string') throw noCredentials()
    return (transaction) =>
      useCode(collections.signInCodes, codeDigest(code), clock.now(), transaction)
  }
}

/** Octets of the body of a sign-in, which anybody can send: it has one code. */
const signInBytesMax = 4096

/** Reads the fields of a sign-in: with a key the body may be empty. Throws if they are faulty. */
function codeIn(request: PlainRequest, { catalogue }: SignInParts): JsonValue | undefined {
  if (request.body.length > signInBytesMax) {
    throw new Problem('content-too-large', `A sign-in has at most ${signInBytesMax} octets.`)
  }
  const compiled = catalogue.find('sessions')
  if (compiled === null || request.body.length === 0) return undefined
  const { values, errors } = readInput(compiled, readBody(request))
  if (errors.length > 0) throw invalidBody(errors)
  return values['code']
}

/**
 * Finds the account and scopes of a sign-in, in the transaction that begins the session; null if there are
 * none.
 */
type FindHolder = (transaction: Transaction) => Promise<SignIn | null>

function hasKey(request: IncomingRequest): boolean {
  return header(request, 'authorization') !== undefined
}

function partsOf({ doc, hidden }: Stored): { digest: string; expiresAt: string | null } {
  const { expiresAt }: { expiresAt: string | null } = JSON.parse(doc)
  const { digest }: { digest: string } = JSON.parse(hidden ?? '{"digest":""}')
  return { digest, expiresAt }
}

/** Another site must not sign a browser in, or its user would act in an account of that site's choice. */
function checkNotForeign(request: IncomingRequest): void {
  const site = header(request, 'sec-fetch-site')
  if (site === undefined || site === 'same-origin') return
  throw new Problem('forbidden', 'Only a page of this service can sign in: Sec-Fetch-Site differs.')
}

function created({ stored, secret }: NewSession, path: string, isSecure: boolean): PlainResponse {
  return {
    status: 201,
    headers: {
      location: `${path}/${stored.id}`,
      etag: entityTag(stored.revision),
      'set-cookie': sessionCookie(secret, isSecure),
    },
    body: stored.doc,
  }
}

function noCredentials(): Problem {
  return unauthorizedPage(
    'Send a key, Authorization: Bearer nuncio_…, or a sign-in code in the body.',
  )
}

/**
 * Returns who signs in with a code; null if it is unknown or too old. Removes it in the transaction that
 * begins the session, so that it works once, on any node.
 */
async function useCode(
  codes: Collection,
  digest: string,
  now: Instant,
  transaction: Transaction,
): Promise<SignIn | null> {
  const found = await transaction.everywhere.find(codes, { field: 'digest', value: digest })
  if (found === null) return null
  const { expiresAt }: { expiresAt: string } = JSON.parse(found.doc)
  const isRemoved = await transaction.in(found.account).remove(codes, { id: found.id })
  if (!isRemoved || expiresAt <= timestamp(now)) return null
  return { account: found.account, scopes: ['admin'], key: null }
}
