import type { SendHttp } from '../../../core/ports/outgoing-request.ts'
import { accessTokens, type CredentialOptions, type TokenResult } from './access-token.ts'
import { settledValues } from '../requests/message-values.ts'
import { awsSigner } from './aws-signature.ts'
import { signedTokens } from './signed-token.ts'

/**
 * Returns a sender that adds the credentials that change with time. Without credentials nothing is
 * sent. A request that is refused because its token is no longer valid is sent once more.
 */
export function authorizedSender(options: CredentialOptions): SendHttp {
  const { id, settings, clock, newId, send } = options
  const { oauth2, jwt, sigv4 } = settings
  const values = settledValues(id, settings)
  if (sigv4 !== null) {
    const sign = awsSigner(sigv4, values, clock)
    return async (request, signal) => send(await sign(request), signal)
  }
  if (jwt !== null) {
    const tokens = signedTokens(jwt, values, { clock, newId })
    return withToken(send, { token: tokens, isRenewable: false, forget: () => {} })
  }
  if (oauth2 === null) return send
  return withToken(send, accessTokens(oauth2, values, options))
}

/** Tokens for requests. */
interface Tokens {
  readonly token: () => Promise<TokenResult>
  /** Another token may be valid if this one is not. */
  readonly isRenewable: boolean
  /** Forgets a token that the provider refused. */
  readonly forget: (token: string) => void
}

function withToken(send: SendHttp, { token, isRenewable, forget }: Tokens): SendHttp {
  const sendOnce: SendHttp = async (request, signal) => {
    const read = await token()
    if (!read.ok) return { kind: 'NOT_SENT', detail: read.reason }
    const authorization = `Bearer ${read.token}`
    const sent = await send({ ...request, headers: { ...request.headers, authorization } }, signal)
    if (sent.kind !== 'ANSWERED' || sent.status < 300) return sent
    if (sent.status === 401) forget(read.token)
    return { ...sent, body: withoutToken(sent.body, read.token) }
  }
  return async (request, signal) => {
    const sent = await sendOnce(request, signal)
    const isStale = isRenewable && sent.kind === 'ANSWERED' && sent.status === 401
    return isStale ? sendOnce(request, signal) : sent
  }
}

/** Blackens the token in a refusal, which may quote it and is shown. */
function withoutToken(body: Uint8Array, token: string): Uint8Array {
  const text = Buffer.from(body).toString()
  return text.includes(token) ? Buffer.from(text.replaceAll(token, '…')) : body
}
