import { requiredFields, type WebhookRecord } from './record.ts'
import { Refusal, type Fault } from './refusal.ts'

type JsonObject = { readonly [field: string]: unknown }

/** The number of listed faults; an array of a thousand records may have thousands. */
const faultsShown = 10

/**
 * Returns the records of a body in their order, notifications and alerts; it omits records of other
 * types. Throws a Refusal with status 400 if any record is malformed.
 */
export function parse(body: Uint8Array): readonly WebhookRecord[] {
  const elements = parseJson(decode(body))
  if (!Array.isArray(elements)) {
    throw new Refusal(400, 'The body must be a JSON array of message notification records.')
  }

  const faults = elements.flatMap(faultsOf)
  if (faults.length > 0) {
    const errors = faults.slice(0, faultsShown)
    const more =
      faults.length > faultsShown ? ` The first ${faultsShown} of ${faults.length} are listed.` : ''
    throw new Refusal(400, `The body has records that are not as they must be.${more}`, { errors })
  }
  return elements.filter(isKnown)
}

function decode(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch (cause) {
    throw new Refusal(400, 'The body must be UTF-8.', { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Refusal(400, `The body must be JSON: ${messageOf(cause)}`, { cause })
  }
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}

function faultsOf(element: unknown, index: number): readonly Fault[] {
  if (!isObject(element)) return [{ pointer: `/${index}`, detail: 'must be an object' }]

  const names = requiredOf(element).filter((field) => typeof element[field] !== 'string')
  if (!namesWebhook(element)) names.push('webhook/id')
  return names.map((name) => ({ pointer: `/${index}/${name}`, detail: 'must be a string' }))
}

function requiredOf(element: JsonObject): readonly string[] {
  const { type } = element
  return isHandled(type) ? requiredFields[type] : ['id', 'type']
}

function isKnown(element: unknown): element is WebhookRecord {
  return isObject(element) && isHandled(element.type)
}

function isHandled(type: unknown): type is WebhookRecord['type'] {
  return typeof type === 'string' && Object.hasOwn(requiredFields, type)
}

/** Returns false for an alert without the id of a webhook. */
function namesWebhook({ type, webhook }: JsonObject): boolean {
  if (type !== 'WEBHOOK_DISABLED' && type !== 'WEBHOOK_RECOVERED') return true
  return isObject(webhook) && typeof webhook.id === 'string'
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
