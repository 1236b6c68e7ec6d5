import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import type { LogReader } from '../../core/ports/notification-log.ts'
import type { Reader, Stored } from '../../core/ports/store.ts'
import { timestamp } from '../../core/timestamp.ts'
import { readProgress } from '../progress/progress.ts'
import { asWebhook, filterOf } from '../progress/stored-webhook.ts'

/** Returns the live fields of a webhook: its lag and the times of its last and next deliveries. */
export async function webhookLive(
  { account, id, doc }: Stored,
  reader: Reader,
  log: LogReader,
): Promise<JsonObject> {
  const consumer = await reader.findConsumer(account, id)
  if (consumer === null) return { lag: 0, lastSuccessAt: null, nextAttemptAt: null }

  const instance: JsonValue = JSON.parse(doc)
  const webhook = asWebhook(isJsonObject(instance) ? instance : {})
  const progress = readProgress(consumer.progress, log.parse)
  const isRetrying = webhook.state === 'RETRYING'
  return {
    lag: await log.count(account, progress.from ?? consumer.position, filterOf(webhook)),
    lastSuccessAt: timeOrNull(progress.lastSuccessAt),
    nextAttemptAt: isRetrying ? timeOrNull(progress.nextAttemptAt) : null,
  }
}

function timeOrNull(instant: number | null): string | null {
  return instant === null ? null : timestamp(instant)
}
