import type * as oauth4webapi from 'oauth4webapi'
import type { AuthorizationServer, IDToken } from 'oauth4webapi'
import type { OpenIdProvider } from '../../../core/declaration/open-id.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { PendingSignIn } from './sign-in-cookie.ts'

/** The fetch of the platform, or one of a test. */
export type PlatformFetch = typeof fetch

/** The response of a provider to a sign-in. */
export type SignInResult =
  | { readonly kind: 'SIGNED_IN'; readonly claims: IDToken }
  /** The provider refuses the person or the request, with a code of RFC 6749. */
  | { readonly kind: 'DENIED'; readonly error: string }
  /** The response does not belong to this sign-in, or the code is not valid. */
  | { readonly kind: 'INVALID'; readonly reason: string }
  | { readonly kind: 'UNAVAILABLE'; readonly reason: string }

/** A provider over the network. */
export interface ProviderClient {
  /** Returns the address to send the browser to. Throws if the provider cannot be reached. */
  authorizationUrl(pending: PendingSignIn): Promise<URL>
  /** Checks the parameters with which the browser returns, and exchanges the code. */
  finish(returned: URL, pending: PendingSignIn): Promise<SignInResult>
}

/** The path to which the provider returns. */
export const callbackPath = '/v1/sessions/callback'

/** Time after which the provider's description is read again, in milliseconds. */
const knownMs = 3_600_000

/** The same after a failure: clients without a key must not make the service send many requests. */
const failedMs = 1000

/** Connects to a provider, whose description it reads when the first person signs in. */
export function providerClient(
  provider: OpenIdProvider,
  clock: Clock,
  fetch: PlatformFetch,
): ProviderClient {
  const { clientId, scope, url } = provider
  const redirectUri = new URL(callbackPath, url).href
  const open = openProvider(provider, clock, fetch)
  return {
    authorizationUrl: async ({ state, nonce, verifier }) => {
      const { oauth, server } = await open()
      const target = new URL(server.authorization_endpoint ?? '')
      const parameters = {
        client_id: clientId,
        response_type: 'code',
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }
      for (const [name, value] of Object.entries(parameters)) target.searchParams.set(name, value)
      return target
    },
    finish: async (returned, pending) => {
      const opened = await open()
      try {
        return await exchange(provider, opened, returned, pending, redirectUri)
      } catch (error) {
        return resultOf(error, opened.oauth)
      }
    },
  }
}

type Oauth = typeof oauth4webapi

/** The protocol library, and the provider as it describes itself. */
interface OpenedProvider {
  readonly oauth: Oauth
  readonly server: AuthorizationServer
  readonly options: ReturnType<typeof optionsOf>
}

/** Returns a function that reads the description of the provider, once for a while. */
function openProvider(
  { issuer }: OpenIdProvider,
  clock: Clock,
  fetch: PlatformFetch,
): () => Promise<OpenedProvider> {
  let known: { readonly server: Promise<AuthorizationServer>; until: number } | null = null
  return async () => {
    // Not imported at the start, which would load it for installations without a provider.
    const oauth = await import('oauth4webapi')
    const options = optionsOf(oauth, issuer, fetch)
    if (known === null || clock.monotonic() >= known.until) {
      const server = oauth
        .discoveryRequest(issuer, { algorithm: 'oidc', ...options })
        .then((response) => oauth.processDiscoveryResponse(issuer, response))
      const reading = { server, until: clock.monotonic() + knownMs }
      known = reading
      server.catch(() => (reading.until = clock.monotonic() + failedMs))
    }
    return { oauth, options, server: await known.server }
  }
}

/** The configuration allows http on loopback alone. */
function optionsOf(oauth: Oauth, issuer: URL, fetch: PlatformFetch) {
  return {
    [oauth.customFetch]: boundedFetch(fetch),
    [oauth.allowInsecureRequests]: issuer.protocol === 'http:',
  }
}

/** Exchanges the code for an ID token, and checks that. Throws errors of the library. */
async function exchange(
  { clientId, clientSecret }: OpenIdProvider,
  { oauth, server, options }: OpenedProvider,
  returned: URL,
  { state, nonce, verifier }: PendingSignIn,
  redirectUri: string,
): Promise<SignInResult> {
  const client = { client_id: clientId }
  const parameters = oauth.validateAuthResponse(server, client, returned, state)
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    clientSecret === null ? oauth.None() : oauth.ClientSecretBasic(clientSecret),
    parameters,
    redirectUri,
    verifier,
    options,
  )
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    requireIdToken: true,
  })
  await oauth.validateApplicationLevelSignature(server, response, options)
  const claims = oauth.getValidatedIdTokenClaims(tokens)
  if (claims === undefined) return { kind: 'INVALID', reason: 'there is no ID token' }
  return { kind: 'SIGNED_IN', claims }
}

function resultOf(error: unknown, oauth: Oauth): SignInResult {
  if (error instanceof oauth.AuthorizationResponseError) {
    return { kind: 'DENIED', error: error.error }
  }
  const isRefused =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.OperationProcessingError
  const reason = error instanceof Error ? error.message : String(error)
  return { kind: isRefused ? 'INVALID' : 'UNAVAILABLE', reason }
}

/** Time for a request to the provider and its response, in milliseconds. */
const timeoutMs = 5000

/** Octets of a response: documents of providers have a few thousand. */
const responseBytesMax = 256 * 1024

/** What the protocol library asks for. */
interface BoundedFetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: URLSearchParams | undefined
}

/** Returns a fetch with a timeout, without redirects, whose responses have a limited length. */
function boundedFetch(own: PlatformFetch) {
  return async (target: string, { method, headers: sent, body: form }: BoundedFetchOptions) => {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await own(target, {
      method,
      headers: sent,
      ...(form === undefined ? {} : { body: form }),
      redirect: 'manual',
      signal,
    })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > responseBytesMax) throw new Error('the response is too long')
      chunks.push(chunk)
    }
    const { status, headers } = response
    const body = status === 204 || status === 304 ? null : Buffer.concat(chunks)
    return new Response(body, { status, headers })
  }
}
