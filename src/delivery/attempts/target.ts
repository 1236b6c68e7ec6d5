import { privateKey, secretKey, type SigningKey } from '@nuncio/receiver'
import { webhooks, type HiddenWebhook } from '../../collections/webhooks.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { LogFilter } from '../../core/ports/notification-log.ts'
import type { Stored } from '../../core/ports/store.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import { asHidden, asWebhook, filterOf } from '../progress/stored-webhook.ts'
import { signsWith } from '../rules/webhook-secrets.ts'

/** A secret, or the private half of a key pair, that signs: decoded. */
export interface SigningSecret {
  readonly key: SigningKey
  /** When it ends; null for the newest, which does not. */
  readonly until: Instant | null
}

/** A webhook as its dispatcher needs it. */
export interface WebhookTarget {
  readonly active: boolean
  /** The version of the interface that its notifications are written in. */
  readonly version: string
  readonly url: URL
  readonly filter: LogFilter
  readonly maxBatch: number
  readonly maxWaitMs: number
  readonly timeoutMs: number
  /** The webhook's own header fields. */
  readonly headers: Readonly<Record<string, string>>
  readonly secrets: readonly SigningSecret[]
  readonly state: string
  readonly stateReason: string | null
}

/** Reads a webhook as it is stored. */
export function targetOf(stored: Stored): WebhookTarget {
  const instance: JsonObject = JSON.parse(stored.doc)
  const kept: JsonObject | null = stored.hidden === null ? null : JSON.parse(stored.hidden)
  const webhook = asWebhook(instance)
  const hidden = asHidden(kept)
  const { active, maxBatch, maxWaitMs, timeoutMs } = webhooks.fields
  return {
    active: webhook.active ?? active.default,
    version: hidden.version ?? '',
    url: new URL(webhook.url ?? ''),
    filter: filterOf(webhook),
    maxBatch: webhook.maxBatch ?? maxBatch.default,
    maxWaitMs: webhook.maxWaitMs ?? maxWaitMs.default,
    timeoutMs: webhook.timeoutMs ?? timeoutMs.default,
    headers: hidden.headerValues ?? {},
    secrets: [
      ...(signsWith('v1', instance) ? secretsOf(hidden) : []),
      ...(signsWith('v1a', instance) ? pairsOf(hidden) : []),
    ],
    state: webhook.state ?? 'ACTIVE',
    stateReason: webhook.stateReason ?? null,
  }
}

function secretsOf({ secrets = [] }: HiddenWebhook): readonly SigningSecret[] {
  return secrets.map(({ secret, until }) => ({ key: secretKey(secret), until: timeOf(until) }))
}

function pairsOf({ keyPairs = [] }: HiddenWebhook): readonly SigningSecret[] {
  return keyPairs.map((pair) => ({ key: privateKey(pair.privateKey), until: timeOf(pair.until) }))
}

function timeOf(until: string | null): Instant | null {
  return until === null ? null : parseTimestamp(until)
}
