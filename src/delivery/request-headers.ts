import { sign } from '@nuncio/receiver'
import type { Instant } from '../core/clock.ts'
import type { SigningSecret, Target } from './target.ts'

/**
 * The header fields of a request, signed after Standard Webhooks with every secret that is valid at
 * `now`. A webhook's own fields cannot take the place of these, the user agent excepted.
 */
export function requestHeaders(
  target: Pick<Target, 'headers' | 'secrets'>,
  webhookId: string,
  body: Uint8Array,
  userAgent: string,
  now: Instant,
): Readonly<Record<string, string>> {
  const timestamp = Math.floor(now / 1000)
  const signatures = target.secrets
    .filter((secret) => isValid(secret, now))
    .map(({ key }) => sign(key, { id: webhookId, timestamp, body }))
  return {
    'user-agent': userAgent,
    ...lowerCased(target.headers),
    'content-type': 'application/json',
    'webhook-id': webhookId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

function isValid({ until }: SigningSecret, now: Instant): boolean {
  return until === null || until > now
}

function lowerCased(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
}
