import { webhooks, type HiddenWebhook, type Webhook } from '../../collections/webhooks.ts'
import type { JsonObject } from '../../core/json.ts'
import { isAlert, type LogFilter } from '../../core/ports/notification-log.ts'

/**
 * A webhook by its declared type. Nothing but the engine and the rules writes webhooks, so the type
 * holds; a field that was declared later is missing in an older one.
 */
export function asWebhook(instance: JsonObject): Partial<Webhook> {
  return instance as Partial<Webhook>
}

/** Hidden fields of a webhook, by its declared type. */
export function asHidden(hidden: JsonObject | null): HiddenWebhook {
  return (hidden ?? {}) as HiddenWebhook
}

/** The notifications that a webhook wants. */
export function filterOf({ id, types, statuses }: Partial<Webhook>): LogFilter {
  const hearsOfOthers = id !== undefined && types?.some(isAlert) === true
  return {
    types: types ?? webhooks.fields.types.default,
    statuses: statuses ?? webhooks.fields.statuses.default,
    ...(hearsOfOthers ? { notAbout: id } : {}),
  }
}
