import { sign } from '@nuncio/receiver'
import type { Instant } from '../../core/ports/clock.ts'
import type { SigningSecret, WebhookTarget } from './target.ts'

/**
 * The header fields of a request, signed after Standard Webhooks with every secret that is valid at
 * `now`. A webhook's own fields cannot take the place of these, the user agent and
 * `correlated`, of the request that created the messages, excepted.
 */
export function requestHeaders(
  target: Pick<WebhookTarget, 'headers' | 'secrets'>,
  webhookId: string,
  body: Uint8Array,
  userAgent: string,
  now: Instant,
  correlated: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const fields: Record<string, string> = { 'user-agent': userAgent, ...correlated }
  for (const [name, value] of Object.entries(target.headers)) fields[name.toLowerCase()] = value
  fields['content-type'] = 'application/json'
  fields['webhook-id'] = webhookId
  fields['webhook-timestamp'] = String(timestamp)
  fields['webhook-signature'] = target.secrets
    .filter((secret) => isValid(secret, now))
    .map(({ key }) => sign(key, { id: webhookId, timestamp, body }))
    .join(' ')
  return fields
}

function isValid({ until }: SigningSecret, now: Instant): boolean {
  return until === null || until > now
}
