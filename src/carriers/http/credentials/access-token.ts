import type { NewId } from '../../../core/id.ts'
import { isJsonObject } from '../../../core/json.ts'
import type { Clock } from '../../../core/ports/clock.ts'
import type { SendHttp, Sent } from '../../../core/ports/outgoing-request.ts'
import {
  asItIs,
  fill,
  filled,
  readTemplate,
  readUrlTemplate,
  templatesOf,
  type TemplateValues,
} from '../../template.ts'
import { readJson } from '../reading/read-body.ts'
import type { HttpSettings } from '../settings.ts'
import type { OauthSettings } from './credential-settings.ts'

/** A token, or why there is none. */
export type TokenResult =
  { readonly ok: true; readonly token: string } | { readonly ok: false; readonly reason: string }

interface AccessToken {
  readonly token: string
  /** On the monotonic clock. */
  readonly renewAt: number
}

/** Validity of a token whose response does not name one (RFC 6749 section 5.1). */
const defaultSeconds = 300

/** A token is renewed before its end: requests are on their way for a while. */
const marginSeconds = 60

/** Bounds of a token that a provider can set. */
const tokenMax = 8000

/** Gets access tokens by client credentials (RFC 6749 section 4.4). Concurrent calls share a request. */
export function accessTokens(
  declared: OauthSettings,
  values: TemplateValues,
  options: Pick<CredentialOptions, 'clock' | 'send' | 'signal' | 'settings'>,
): {
  readonly token: () => Promise<TokenResult>
  readonly isRenewable: true
  readonly forget: (token: string) => void
} {
  const { clock, send, signal } = options
  const request = tokenRequest(declared, values, options.settings.timeoutMs)
  let known: AccessToken | null = null
  let pending: Promise<TokenResult> | null = null

  const renew = async (): Promise<TokenResult> => {
    const read = readToken(await send(request(), signal))
    if (!('seconds' in read)) return read
    const validMs = Math.max(read.seconds - marginSeconds, read.seconds / 2) * 1000
    known = { token: read.token, renewAt: clock.monotonic() + validMs }
    return { ok: true, token: read.token }
  }
  return {
    isRenewable: true,
    token: async () => {
      if (known !== null && clock.monotonic() < known.renewAt) {
        return { ok: true, token: known.token }
      }
      pending ??= renew().finally(() => (pending = null))
      return pending
    },
    forget: (token) => {
      if (known?.token === token) known = null
    },
  }
}

function tokenRequest(declared: OauthSettings, values: TemplateValues, timeoutMs: number) {
  const { tokenUrl, clientId, clientSecret, clientAuthentication, form } = declared
  const url = readUrlTemplate(tokenUrl)
  const text = (template: string): string => fill(readTemplate(template), values, asItIs) ?? ''
  const isBasic = clientAuthentication === 'BASIC'
  // RFC 6749 section 2.3.1: both are encoded before they are joined.
  const pair = [clientId, clientSecret].map((each) => encodeURIComponent(text(each))).join(':')
  const fields = {
    grant_type: 'client_credentials',
    ...(isBasic ? {} : { client_id: text(clientId), client_secret: text(clientSecret) }),
    ...filled(templatesOf(form), values, asItIs),
  }
  return () => ({
    method: 'POST',
    url: new URL(url(values)),
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: `Basic ${Buffer.from(pair).toString('base64')}` } : {}),
    },
    body: Buffer.from(new URLSearchParams(fields).toString()),
    timeoutMs,
  })
}

function readToken(
  sent: Sent,
): { readonly token: string; readonly seconds: number } | (TokenResult & { readonly ok: false }) {
  if (sent.kind !== 'ANSWERED') return { ok: false, reason: `no token: ${sent.detail}` }
  const content = sent.isWhole ? readJson(Buffer.from(sent.body).toString()) : undefined
  const read = content !== undefined && isJsonObject(content) ? content : {}
  const { access_token: token, expires_in: expiresIn, error } = read
  if (sent.status !== 200 || typeof token !== 'string' || !/^[\x21-\x7e]+$/.test(token)) {
    // RFC 6749 section 5.2, such as invalid_client. Other texts may quote a secret.
    const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? ` (${error})` : ''
    return { ok: false, reason: `no token: the token URL answered ${sent.status}${code}` }
  }
  if (token.length > tokenMax) return { ok: false, reason: 'no token: it is too long' }
  const seconds = typeof expiresIn === 'object' ? NaN : Number(expiresIn)
  return { token, seconds: Number.isFinite(seconds) && seconds > 0 ? seconds : defaultSeconds }
}

/** Dependencies of credentials. */
export interface CredentialOptions {
  readonly id: string
  readonly settings: HttpSettings
  readonly clock: Clock
  readonly newId: NewId
  readonly send: SendHttp
  /** Ends requests for tokens, which several messages share. */
  readonly signal: AbortSignal
}
