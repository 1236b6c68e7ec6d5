import type { Correlation } from '../../core/correlation.ts'
import type { Principal } from '../../core/declaration/rules.ts'
import type { MaybePromise } from '../../core/maybe-promise.ts'
import type { Stored, Transaction } from '../../core/ports/store.ts'
import { invalidBody, Problem } from '../../core/problem.ts'
import { entityTag } from '../../engine/conditions.ts'
import type { ClientAddress } from '../access/client-address.ts'
import { unauthorizedPage } from '../access/credential.ts'
import { readBody } from '../routing/read-body.ts'
import { header, type IncomingRequest, type PlainResponse, received } from '../server/request.ts'
import { beginSession, type NewSession, type SignIn, type SignInParts } from './begin-session.ts'
import type { SessionParts } from './find-session.ts'
import { isOverTls } from './same-origin.ts'
import { sessionCookie } from './session-cookie.ts'

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

/** Creates the operation of `POST /v1/sessions`, which sets a cookie. */
export function signIn(
  { store, collections }: SessionParts,
  parts: SignInParts,
  addressOf: ClientAddress,
): SignInHandler {
  return async (asked) => {
    const { request, path } = asked
    checkNotForeign(request)
    if (header(request, 'authorization') === undefined) throw noCredentials()
    const principal = await asked.authenticate()
    const whole = await received(request, principal.account)
    if (whole.body.length > 0) refuseFields(Object.keys(readBody(whole)))
    const origin = { correlation: asked.correlation, clientAddress: () => addressOf(request) }
    const begun = await store.transact(async (transaction) =>
      beginSession(
        await withKey(principal, transaction),
        { version: asked.version, origin },
        transaction,
        parts,
      ),
    )
    return created(begun, path, isOverTls(request))
  }

  async function withKey(principal: Principal, transaction: Transaction): Promise<SignIn> {
    const { account, scopes, keyId } = principal
    const key = await transaction.in(account).find(collections.keys, { id: keyId })
    if (key === null) throw noCredentials()
    return { account, scopes, key: { id: keyId, ...partsOf(key) } }
  }
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

function refuseFields(names: readonly string[]): void {
  if (names.length === 0) return
  const detail = 'is unknown: a sign-in with a key has no fields'
  throw invalidBody(names.map((name) => ({ pointer: `/${name}`, detail })))
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
  return unauthorizedPage('Send a key: Authorization: Bearer nuncio_…')
}
