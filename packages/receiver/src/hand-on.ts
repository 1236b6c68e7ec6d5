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

/** Handles one record. If it throws, the sender sends the whole array again. */
export type Handler = (record: NotificationRecord, delivery: Delivery) => unknown

/** Handles one alert. If it throws, the sender sends the whole array again. */
export type AlertHandler = (record: AlertRecord, delivery: Delivery) => unknown

/** The handlers by type. A type without a handler is ignored. */
export type Handlers = { readonly [type in NotificationRecord['type']]?: Handler | undefined } & {
  readonly [type in AlertRecord['type']]?: AlertHandler | undefined
}

/** A verified and parsed request. */
export interface Verified {
  readonly delivery: Delivery
  readonly body: Uint8Array
  readonly records: readonly WebhookRecord[]
}

/**
 * Makes the function that calls the handlers, one record after the other. It throws a Refusal with
 * status 500 for the first failure. With a store it skips records that succeeded before.
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

/** A message has one notification for each status, all with its id: the key has type, id and status. */
function recordKey(record: WebhookRecord): string {
  const status = isAlertRecord(record) ? null : record.status
  return JSON.stringify([record.type, record.id, status?.id ?? null])
}

/** The digest prevents the loss of records if one id comes with two different arrays. */
function deliveryKey({ webhookId }: Delivery, body: Uint8Array): string {
  return JSON.stringify([
    'webhook-id',
    webhookId,
    createHash('sha256').update(body).digest('base64'),
  ])
}
