import type { IDToken } from 'oauth4webapi'
import { type AccountId, accountId, defaultAccount } from '../../../core/account.ts'
import type { Correlation } from '../../../core/correlation.ts'
import type { Collection } from '../../../core/declaration/collection.ts'
import type { OpenIdGrant, OpenIdProvider } from '../../../core/declaration/open-id.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Transaction } from '../../../core/ports/store.ts'
import { Problem } from '../../../core/problem.ts'
import { notAllowed, options } from '../../routing/routes.ts'
import type { NoteRefusal } from '../../server/handle.ts'
import type { PlainResponse, RequestHead } from '../../server/request.ts'
import { beginSession, type SignInParts } from '../begin-session.ts'
import { sessionCookie } from '../session-cookie.ts'
import {
  type PlatformFetch,
  type ProviderClient,
  providerClient,
  type SignInResult,
} from './provider.ts'
import { pendingCookie, pendingMs, readPendingCookie } from './sign-in-cookie.ts'
import { failureResponse, SignInFailure } from './sign-in-failure.ts'

/** Sends browsers to the provider and takes them back: null if `sessions/{name}` is another path. */
export type OpenIdHandler = (
  name: string,
  request: RequestHead,
  about: { readonly version: string; readonly correlation: Correlation },
) => Promise<PlainResponse> | null

/** Dependencies of the sign-in at a provider besides those of any. */
export interface OpenIdAccess {
  readonly log: Log
  readonly fetch: PlatformFetch
  /** Notes a refusal for the audit. */
  readonly refused: NoteRefusal
  /** Returns the secret that all nodes share. */
  readonly secret: () => Promise<string>
}

/** The screen that the browser sees in the end. */
const signedInPath = '/console#signed-in'

/** Octets of a secret in the URL and the cookie. */
const secretBytes = 32

/** Creates the operations `GET /v1/sessions/authorization` and `GET /v1/sessions/callback`. */
export function openIdSignIn(
  provider: OpenIdProvider,
  parts: SignInParts,
  access: OpenIdAccess,
): OpenIdHandler {
  const client = providerClient(provider, parts.clock, access.fetch)
  const all = { provider, client, parts, access }
  const operations = { authorization: () => leave(all), callback: comeBack(all) }
  const failing = { log: access.log, issuer: provider.issuer, refused: access.refused }
  return (name, request, about) => {
    const operation = operationOf(name, operations)
    if (operation === null) return null
    if (request.method === 'OPTIONS') return Promise.resolve(options('GET, OPTIONS'))
    if (request.method !== 'GET') throw notAllowed(request.method, 'GET, OPTIONS')
    return operation(request, about).catch((error: unknown) =>
      failureResponse(error, request, about.correlation, failing),
    )
  }
}

/** Without a provider nobody signs in there: both paths are unknown, with a key and without. */
export const noOpenIdSignIn: OpenIdHandler = (name, request) => {
  if (operationOf(name, { authorization: true, callback: true }) === null) return null
  const path = request.target.split('?', 1)[0]
  throw new Problem('not-found', `No resource at ${path}: no OpenID provider is configured.`)
}

/** What both operations need. */
interface OpenIdContext {
  readonly provider: OpenIdProvider
  readonly client: ProviderClient
  readonly parts: SignInParts
  readonly access: OpenIdAccess
}

/** Sends a browser to the provider. */
async function leave({ provider, client, parts, access }: OpenIdContext): Promise<PlainResponse> {
  const { clock, random } = parts
  const secret = (): string => Buffer.from(random.bytes(secretBytes)).toString('base64url')
  const until = clock.now() + pendingMs
  const pending = { state: secret(), nonce: secret(), verifier: secret(), until }
  const target = await client.authorizationUrl(pending).catch((error: unknown) => {
    throw new SignInFailure('unavailable', reasonOf(error))
  })
  const cookie = pendingCookie(pending, await access.secret(), random, isSecure(provider))
  return redirect(target.href, cookie)
}

/** Takes a browser back, and begins a session for its user. */
function comeBack({ provider, client, parts, access }: OpenIdContext): OpenIdReturn {
  const { store, collections, addressOf, throttle } = parts
  const signedIn = async (request: RequestHead): Promise<IDToken> => {
    throttle.check(addressOf(request))
    const pending = readPendingCookie(request, await access.secret(), isSecure(provider))
    if (pending === null)
      throw new SignInFailure('not-begun', 'the cookie is missing or unreadable')
    if (pending.until <= parts.clock.now())
      throw new SignInFailure('not-begun', 'the cookie is too old')
    const result = await client
      .finish(new URL(request.target, provider.url), pending)
      .catch((error: unknown): SignInResult => ({ kind: 'UNAVAILABLE', reason: reasonOf(error) }))
    if (result.kind === 'SIGNED_IN') return result.claims
    if (result.kind === 'INVALID') throttle.failed(addressOf(request))
    throw failureOf(result)
  }
  return async (request, { version, correlation }) => {
    const claims = await signedIn(request)
    const person = personOf(claims)
    const grant = grantedBy(provider.grants, claims)
    if (grant === null) throw new SignInFailure('not-granted', 'no grant matches', person)
    const { scopes } = grant
    const account = accountId(grant.account)
    const origin = { correlation, clientAddress: () => addressOf(request) }
    const begun = await store.transact(async (transaction) => {
      if (!(await isActive(account, collections.accounts, transaction))) {
        const reason = `the account ${account} of the grant does not exist or is not active`
        throw new SignInFailure('not-granted', reason, person)
      }
      const holder = { account, scopes, key: null, person }
      return beginSession(holder, { version, origin }, transaction, parts)
    })
    return redirect(signedInPath, sessionCookie(begun.secret, isSecure(provider)))
  }
}

/** Returns true if there is such an account, and if it is active. */
async function isActive(
  account: AccountId,
  accounts: Collection,
  transaction: Transaction,
): Promise<boolean> {
  if (account === defaultAccount) return true
  const found = await transaction.in(defaultAccount).find(accounts, { id: account })
  const { active }: { active?: boolean } = JSON.parse(found?.doc ?? '{}')
  return active === true
}

/** Returns true if browsers reach the service over TLS. */
function isSecure({ url }: OpenIdProvider): boolean {
  return url.protocol === 'https:'
}

type OpenIdReturn = (
  request: RequestHead,
  about: Parameters<OpenIdHandler>[2],
) => Promise<PlainResponse>

function operationOf<Operation>(
  name: string,
  operations: Readonly<Record<string, Operation>>,
): Operation | null {
  return Object.hasOwn(operations, name) ? (operations[name] ?? null) : null
}

function redirect(location: string, cookie: string): PlainResponse {
  const headers = { location, 'set-cookie': cookie, 'cache-control': 'no-store' }
  return { status: 303, headers, body: null }
}

/** Characters of an error code that the log keeps: anyone can write it into the URL. */
const errorLengthMax = 100

function failureOf(result: Exclude<SignInResult, { kind: 'SIGNED_IN' }>): SignInFailure {
  switch (result.kind) {
    case 'DENIED': {
      const isDenied = result.error === 'access_denied'
      return new SignInFailure(
        isDenied ? 'denied' : 'refused-by-provider',
        result.error.slice(0, errorLengthMax),
      )
    }
    case 'INVALID':
      return new SignInFailure('invalid', result.reason)
    case 'UNAVAILABLE':
      return new SignInFailure('unavailable', result.reason)
  }
}

/** Returns an error with its cause: a failed fetch says only there what failed. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  return cause === undefined ? String(error) : `${String(error)}: ${String(cause)}`
}

/** Claims of an ID token. */
type Claims = Readonly<Record<string, unknown>>

/** Returns the first grant whose claim a person has; null if there is none. */
function grantedBy(grants: readonly OpenIdGrant[], claims: Claims): OpenIdGrant | null {
  const matches = ({ claim, value }: OpenIdGrant): boolean => {
    const held = Object.hasOwn(claims, claim) ? claims[claim] : undefined
    return Array.isArray(held) ? held.includes(value) : held === value
  }
  return grants.find(matches) ?? null
}

/** Characters of a name that the audit keeps. */
const nameLengthMax = 200

/** Returns the name of a person for the audit. An address that is not verified proves nothing. */
function personOf(claims: Claims): string {
  const { email, email_verified: isVerified, sub } = claims
  const isKnown = typeof email === 'string' && isVerified === true
  return (isKnown ? `${email} (${String(sub)})` : String(sub)).slice(0, nameLengthMax)
}
