import { createHash } from 'node:crypto'
import { onceIn, type DuplicateStore, type Once } from './duplicates.ts'
import {
  isAlertRecord,
  type AlertRecord,
  type NotificationRecord,
  type WebhookRecord,
} from './record.ts'
import { Refusal } from './refusal.ts'
import type { Delivery } from './verify.ts'

/** Handles one record. What it throws makes the sender send the whole array again. */
export type Handler = (record: NotificationRecord, delivery: Delivery) => unknown

/** Handles one alert. What it throws makes the sender send the whole array again. */
export type AlertHandler = (record: AlertRecord, delivery: Delivery) => unknown

/** A type without a handler is ignored. */
export type Handlers = { readonly [type in NotificationRecord['type']]?: Handler | undefined } & {
  readonly [type in AlertRecord['type']]?: AlertHandler | undefined
}

/** What `verify` and `parse` made of one request. */
export interface Verified {
  readonly delivery: Delivery
  readonly body: Uint8Array
  readonly records: readonly WebhookRecord[]
}

/**
 * Gives the records to their handlers, one after the other in the order of the array. Throws a
 * Refusal with status 500 at the first one that fails. With a store, what has succeeded is not done
 * again.
 */
export function handOn(
  handlers: Handlers,
  duplicates?: DuplicateStore,
): (verified: Verified) => Promise<void> {
  const once: Once = duplicates ? onceIn(duplicates) : async (_key, work) => void (await work())

  return async ({ delivery, body, records }) => {
    const all = async () => {
      for (const record of records) {
        await once(recordKey(record), () => handle(handlers, record, delivery))
      }
    }
    await once(deliveryKey(delivery, body), all)
  }
}

async function handle(handlers: Handlers, record: WebhookRecord, delivery: Delivery) {
  try {
    if (isAlertRecord(record)) await handlers[record.type]?.(record, delivery)
    else await handlers[record.type]?.(record, delivery)
  } catch (cause) {
    const where = `The handler of ${record.type} failed on record ${record.id}.`
    throw new Refusal(500, `${where} Send the array again.`, { cause })
  }
}

/** A message is notified once for each status it takes on, under one id: the key has all three. */
function recordKey(record: WebhookRecord): string {
  const status = isAlertRecord(record) ? null : record.status
  return JSON.stringify([record.type, record.id, status?.id ?? null])
}

/** With the digest, so that one id under which two different arrays come costs no record. */
function deliveryKey({ webhookId }: Delivery, body: Uint8Array): string {
  return JSON.stringify([
    'webhook-id',
    webhookId,
    createHash('sha256').update(body).digest('base64'),
  ])
}
