import type { IDToken } from 'oauth4webapi'
import { type AccountId, accountId, defaultAccount } from '../../../core/account.ts'
import type { Collection } from '../../../core/declaration/collection.ts'
import type { Correlation } from '../../../core/correlation.ts'
import type { OpenIdProvider } from '../../../core/declaration/open-id.ts'
import type { Log } from '../../../core/ports/log.ts'
import type { Transaction } from '../../../core/ports/store.ts'
import { Problem } from '../../../core/problem.ts'
import type { ClientAddress } from '../../access/client-address.ts'
import { unauthorizedPage } from '../../access/credential.ts'
import type { FailureThrottle } from '../../access/failure-throttle.ts'
import { notAllowed, options } from '../../routing/routes.ts'
import type { PlainResponse, RequestHead } from '../../server/request.ts'
import { beginSession, type SignInParts } from '../begin-session.ts'
import type { SessionParts } from '../find-session.ts'
import { sessionCookie } from '../session-cookie.ts'
import type { PlatformFetch } from './bounded-fetch.ts'
import { grantedBy, personOf } from './granted.ts'
import { type ProviderClient, providerClient, type SignInResult } from './provider.ts'
import { pendingCookie, pendingMs, readPendingCookie } from './sign-in-cookie.ts'

/** Sends browsers to the provider and takes them back: null for other paths. */
export type OpenIdHandler = (
  names: readonly string[],
  request: RequestHead,
  about: { readonly version: string; readonly correlation: Correlation },
) => Promise<PlainResponse> | null

/** Dependencies of the sign-in at a provider. */
export interface OpenIdAccess {
  readonly addressOf: ClientAddress
  readonly throttle: FailureThrottle
  readonly log: Log
  readonly fetch: PlatformFetch
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
  session: SessionParts,
  parts: SignInParts,
  access: OpenIdAccess,
): OpenIdHandler {
  const client = providerClient(provider, session.clock, access.fetch)
  const all = { provider, client, session, parts, access }
  const operations = { authorization: () => leave(all), callback: comeBack(all) }
  return (names, request, about) => {
    const operation = operationOf(names, operations)
    if (operation === null) return null
    if (request.method === 'OPTIONS') return Promise.resolve(options('GET, OPTIONS'))
    if (request.method !== 'GET') throw notAllowed(request.method, 'GET, OPTIONS')
    return operation(request, about)
  }
}

/** What both operations need. */
interface OpenIdContext {
  readonly provider: OpenIdProvider
  readonly client: ProviderClient
  readonly session: SessionParts
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
    access.log('warn', 'OpenID provider not reached', { issuer: provider.issuer.href, error })
    throw unavailable()
  })
  const cookie = pendingCookie(pending, await access.secret(), random, isSecure(provider))
  return redirect(target.href, cookie)
}

/** Takes a browser back, and begins a session for its user. */
function comeBack({ provider, client, session, parts, access }: OpenIdContext): OpenIdReturn {
  const { addressOf, throttle, log } = access
  const signedIn = async (request: RequestHead): Promise<IDToken> => {
    throttle.check(addressOf(request))
    const pending = readPendingCookie(request, await access.secret(), isSecure(provider))
    if (pending === null || pending.until <= parts.clock.now()) throw notBegun()
    const result = await client
      .finish(new URL(request.target, provider.url), pending)
      .catch((error: unknown): SignInResult => ({ kind: 'UNAVAILABLE', reason: String(error) }))
    if (result.kind === 'SIGNED_IN') return result.claims
    log('warn', 'OpenID sign-in refused', { issuer: provider.issuer.href, ...result })
    if (result.kind === 'INVALID') throttle.failed(addressOf(request))
    throw refusalOf(result)
  }
  return async (request, { version, correlation }) => {
    const claims = await signedIn(request)
    const person = personOf(claims)
    const refused = (reason: string): Problem => {
      log('warn', 'OpenID sign-in refused', { issuer: provider.issuer.href, person, reason })
      return notGranted()
    }
    const grant = grantedBy(provider.grants, claims)
    if (grant === null) throw refused('no grant matches')
    const { scopes } = grant
    const account = accountId(grant.account)
    const origin = { correlation, clientAddress: () => addressOf(request) }
    const begun = await session.store.transact(async (transaction) => {
      if (!(await isActive(account, session.collections.accounts, transaction))) {
        throw refused(`the account ${account} of the grant does not exist or is not active`)
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

function operationOf(
  [first, second = '', ...others]: readonly string[],
  operations: Readonly<Record<string, OpenIdReturn>>,
): OpenIdReturn | null {
  if (first !== 'sessions' || others.length > 0 || !Object.hasOwn(operations, second)) return null
  return operations[second] ?? null
}

function redirect(location: string, cookie: string): PlainResponse {
  const headers = { location, 'set-cookie': cookie, 'cache-control': 'no-store' }
  return { status: 303, headers, body: null }
}

function refusalOf(result: Exclude<SignInResult, { kind: 'SIGNED_IN' }>): Problem {
  switch (result.kind) {
    case 'DENIED':
      // The code comes from the URL, which anyone can write.
      return new Problem(
        'forbidden',
        result.error === 'access_denied'
          ? 'The provider denied access, or the sign-in was cancelled.'
          : 'The provider refused the sign-in. The log of the service has its reason.',
      )
    case 'INVALID':
      return unauthorizedPage(
        'The response of the provider does not belong to this sign-in, or was used before. Sign in again.',
      )
    case 'UNAVAILABLE':
      return unavailable()
  }
}

function notBegun(): Problem {
  return new Problem(
    'invalid-request',
    'This browser began no sign-in within ten minutes: its cookie is missing or too old. Sign in again.',
  )
}

function notGranted(): Problem {
  const detail = 'No grant of oidc in the configuration gives this person an active account.'
  return new Problem('forbidden', detail)
}

function unavailable(): Problem {
  const headers = { 'retry-after': '5' }
  return new Problem('unavailable', 'The OpenID provider cannot be reached.', { headers })
}
