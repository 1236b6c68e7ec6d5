import { webhooks } from '../../collections/webhooks.ts'
import type { Instant } from '../../core/ports/clock.ts'
import type { Consumer } from '../../core/ports/consumers.ts'
import type { JsonObject } from '../../core/json.ts'
import type { LogReader } from '../../core/ports/notification-log.ts'
import type { Store, Stored } from '../../core/ports/store.ts'
import { progressText, readProgress, type WebhookProgress } from '../progress/progress.ts'
import { saveState, stateOf } from '../progress/webhook-state.ts'
import { asWebhook, filterOf } from '../progress/stored-webhook.ts'

/** A webhook that loses notifications all the time says so once in a while. */
const againMs = 24 * 3_600_000

/** Writes into a webhook's state that it loses undelivered notifications from before `before`, if so. */
export async function markTrimmed(
  store: Store,
  { account, id }: Stored,
  before: Instant,
  now: Instant,
): Promise<void> {
  const isDue = async (consumer: Consumer | null, doc: string): Promise<WebhookProgress | null> => {
    if (consumer === null) return null
    const progress = readProgress(consumer.progress, store.log.parse)
    const isSaid = progress.trimmedAt !== null && now - progress.trimmedAt < againMs
    return !isSaid && (await loses(store.log, consumer, progress, doc, before)) ? progress : null
  }

  // Looked at outside first: a transaction for each webhook, only to find nothing, would be too much.
  const found = await store.read(account, async (reader) => {
    const webhook = await reader.find(webhooks, { id })
    const consumer = webhook && (await reader.findConsumer(account, id))
    if (webhook === null || consumer === null) return null
    return (await isBehind(store.log, consumer, webhook.doc)) ? isDue(consumer, webhook.doc) : null
  })
  if (found === null) return

  await store.transact(async (transaction) => {
    const writer = transaction.in(account)
    const webhook = await writer.find(webhooks, { id })
    const progress =
      webhook && (await isDue(await transaction.consumers.find(account, id), webhook.doc))
    if (webhook === null || progress === null) return
    const marked = { ...progress, trimmedAt: now }
    await transaction.consumers.reset(account, id, progressText(marked))
    await saveState(writer, webhook, stateOf(marked, activeOf(webhook.doc)), now)
  })
}

/**
 * Returns true if notifications are undelivered. Count first, because counting is sliced: searching
 * the
 * oldest of unwanted records would read all.
 */
async function isBehind(log: LogReader, consumer: Consumer, doc: string): Promise<boolean> {
  const { from } = readProgress(consumer.progress, log.parse)
  const webhook: JsonObject = JSON.parse(doc)
  const place = from ?? consumer.position
  return (await log.count(consumer.account, place, filterOf(asWebhook(webhook)))) > 0
}

async function loses(
  log: LogReader,
  { account, position }: Consumer,
  { from }: WebhookProgress,
  doc: string,
  before: Instant,
): Promise<boolean> {
  const webhook: JsonObject = JSON.parse(doc)
  const [oldest] = await log.read(account, from ?? position, filterOf(asWebhook(webhook)), 1)
  return oldest !== undefined && oldest.at < before
}

function activeOf(doc: string): boolean {
  const webhook: JsonObject = JSON.parse(doc)
  return asWebhook(webhook).active ?? true
}
