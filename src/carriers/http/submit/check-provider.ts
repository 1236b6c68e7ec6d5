import type { OutgoingRequest, SendHttp } from '../../../core/ports/outgoing-request.ts'
import { settledUrl, settledValues } from '../requests/message-values.ts'
import type { HttpSettings } from '../settings.ts'
import { filled, inHeader, namesIn, readUrlTemplate, templatesOf } from '../../template.ts'
import { authorization } from '../requests/write-request.ts'

/** Timeout of a check, in milliseconds. */
const checkMs = 10_000

/** Senders with and without the carrier's credentials. */
export interface CheckSenders {
  readonly send: SendHttp
  readonly sendAuthorized: SendHttp
}

/**
 * Returns why the provider cannot be used; null if it can. Without a declared check any response
 * shows that it is reachable, and the request has no parameters, and no credentials but a token of OAuth 2:
 * without a token nothing could be sent.
 */
export async function checkProvider(
  id: string,
  settings: HttpSettings,
  { send, sendAuthorized }: CheckSenders,
  signal: AbortSignal,
): Promise<string | null> {
  const { check, oauth2 } = settings
  const sent =
    check === null
      ? await (oauth2 === null ? send : sendAuthorized)(
          requestOf('HEAD', new URL('/', settledUrl(settings.request.url, settings)), {}),
          signal,
        )
      : await sendAuthorized(checkRequest(id, settings, check), signal)
  if (sent.kind !== 'ANSWERED') return `the provider was not reached: ${sent.detail}`
  const isRefused = check?.refused.includes(String(sent.status)) === true
  return isRefused ? `the provider refuses the credentials: it answered ${sent.status}` : null
}

function checkRequest(
  id: string,
  settings: HttpSettings,
  { method, url }: NonNullable<HttpSettings['check']>,
): OutgoingRequest {
  const values = settledValues(id, settings)
  const isSettled = (text: string): boolean =>
    namesIn(text).every((name) => values(name) !== undefined)
  const headers = Object.fromEntries(
    Object.entries(settings.request.headers)
      .filter(([, text]) => isSettled(text))
      .map(([name, text]) => [name.toLowerCase(), text]),
  )
  return requestOf(method, new URL(readUrlTemplate(url)(values)), {
    accept: 'application/json, */*;q=0.5',
    ...authorization(settings)(values),
    ...filled(templatesOf(headers), values, inHeader),
  })
}

function requestOf(
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>,
): OutgoingRequest {
  return { method, url, headers, body: null, timeoutMs: checkMs }
}
