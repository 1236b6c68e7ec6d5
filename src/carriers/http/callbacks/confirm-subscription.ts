import type { SendHttp } from '../../../core/ports/outgoing-request.ts'
import type { LocatedValue } from '../reading/values-at.ts'
import { textOf, valuesFrom } from '../reading/values-at.ts'
import type { DeclaredCallback } from './callback-settings.ts'

type Declared = NonNullable<DeclaredCallback['confirm']>

/** Timeout of a confirmation: the provider waits for the response meanwhile. */
const confirmMs = 10_000

/**
 * Requests the URL that confirms a subscription. Only the declared host is requested, over https.
 * Returns null if it worked, else the reason.
 */
export async function confirmSubscription(
  event: LocatedValue,
  { url: source, host }: Declared,
  constant: (text: string) => string,
  send: SendHttp,
): Promise<string | null> {
  const text = textOf(valuesFrom(event, source, constant)[0] ?? null) ?? ''
  const url = URL.canParse(text) ? new URL(text) : null
  if (url?.protocol !== 'https:' || url.host !== constant(host)) {
    return `has no URL of ${constant(host)} at ${source}`
  }
  const request = { method: 'GET', url, headers: {}, body: null, timeoutMs: confirmMs }
  const sent = await send(request, new AbortController().signal)
  if (sent.kind !== 'ANSWERED') return `was not confirmed: ${sent.detail}`
  return sent.status < 300 ? null : `was not confirmed: the provider answered ${sent.status}`
}
