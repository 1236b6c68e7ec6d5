import { webhooks } from '../../collections/webhooks.ts'
import type { JsonObject } from '../../core/json.ts'
import { type NodeLease, nodeLease } from '../../core/node-lease.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import type { Consumer } from '../../core/ports/consumers.ts'
import type { LogReader } from '../../core/ports/notification-log.ts'
import type { Store, Stored } from '../../core/ports/store.ts'
import { retentionMs } from '../attempts/schedule.ts'
import { progressText, readProgress, type WebhookProgress } from '../progress/progress.ts'
import { asWebhook, filterOf } from '../progress/stored-webhook.ts'
import { saveState, stateOf } from '../progress/write-progress.ts'
import { allAccounts, pagesOf, separately } from './all-accounts.ts'
import type { MessageRetention } from './retain-messages.ts'
import { sliceMax, slicePauseMs, trimDeliveries, trimExpired, trimReplays } from './trim.ts'

/** Dependencies of retention. */
export interface RetentionParts {
  readonly store: Store
  readonly clock: Clock
  /** By this name one node at a time does it where several have the store; null: this one has it alone. */
  readonly owner: string | null
  /** Time for which audit events are stored, in milliseconds. */
  readonly auditKeptMs: number
  /** Retains messages too, if given. */
  readonly messages?: MessageRetention
  /** It could not be done; it is tried again. */
  readonly onFault: (error: unknown) => void
}

/** Interval of the runs, in milliseconds. */
const everyMs = 3_600_000

/** Lease for the node that runs it, and its duration without renewal. */
const leaseName = 'retention'
const leaseMs = everyMs + 600_000

/**
 * Removes notifications, receipts, attempts and replays that have ended when they are over seven days old, audit
 * events, messages and bodies after the configured time, and what has expired, in small slices, as long as
 * it runs. A webhook that loses undelivered notifications thereby says so in its state first.
 */
export function startRetention(parts: RetentionParts): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  // The last holder keeps it unless it is gone.
  const lease = nodeLease(parts, leaseName, leaseMs)
  const attempt = (work: () => Promise<void>): Promise<void> => work().catch(parts.onFault)
  const runAll = async (): Promise<void> => {
    if (!(await lease.take())) return
    // Each is independent of the other.
    await attempt(() => trimAll(parts, lease, signal))
    await attempt(async () => parts.messages?.run(lease.take, signal))
  }
  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      await attempt(runAll)
      await wait(parts.clock, everyMs, signal)
    }
  }
  const running = run()

  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
      await lease.release().catch(parts.onFault)
    },
  }
}

async function trimAll(
  parts: RetentionParts,
  lease: NodeLease,
  signal: AbortSignal,
): Promise<void> {
  const { store, clock } = parts
  const before = clock.now() - retentionMs
  const eachWebhook = (work: (webhook: Stored) => Promise<void>): Promise<void> =>
    separately(allAccounts(store), async (account) => {
      for await (const page of pagesOf(store, account, webhooks)) {
        if (signal.aborted || page.length === 0 || !(await lease.take())) return
        for (const webhook of page) if (!signal.aborted) await work(webhook)
      }
    })
  const areMarked = await isDone(parts, () =>
    eachWebhook((webhook) => markTrimmed(store, webhook, before, clock.now())),
  )
  if (signal.aborted || !(await lease.take())) return
  // No webhook loses notifications before its state says so.
  const arePassed = await maintain(parts, { before, logBefore: areMarked ? before : 0 }, signal)
  await isDone(parts, () =>
    eachWebhook(async (webhook) => {
      if (!arePassed) await trimDeliveries(store, clock, webhook, before, signal)
      await trimReplays(store, clock, webhook, before, signal)
    }),
  )
  if (await lease.take()) await trimExpired(parts, signal)
}

async function isDone({ onFault }: RetentionParts, work: () => Promise<void>): Promise<boolean> {
  try {
    await work()
    return true
  } catch (error) {
    onFault(error)
    return false
  }
}

/** Returns true if the store has removed the attempts, too. */
async function maintain(
  { store, clock, onFault }: RetentionParts,
  { before, logBefore }: { readonly before: Instant; readonly logBefore: Instant },
  signal: AbortSignal,
): Promise<boolean> {
  for (;;) {
    const { isMore, arePassed, failure } = await store.maintain(before, sliceMax, logBefore)
    if (!isMore || signal.aborted) {
      if (failure !== null) onFault(failure)
      return arePassed
    }
    await wait(clock, slicePauseMs, signal)
  }
}

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
    const progress = readProgress(consumer.progress)
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
      webhook && (await isDue(await transaction.everywhere.findConsumer(account, id), webhook.doc))
    if (webhook === null || progress === null) return
    const marked = { ...progress, trimmedAt: now }
    await transaction.consumers.put(account, id, progressText(marked))
    await saveState(writer, webhook, stateOf(marked, activeOf(webhook.doc)), now)
  })
}

/**
 * Returns true if notifications are undelivered. Count first, because counting is sliced: searching
 * the oldest of unwanted records would read all.
 */
async function isBehind(log: LogReader, consumer: Consumer, doc: string): Promise<boolean> {
  const { from } = readProgress(consumer.progress)
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
