import { webhooks, type Webhook } from '../../collections/webhooks.ts'
import { everyAccount } from '../../core/account.ts'
import { wait, type Clock, type Instant } from '../../core/ports/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Reader, Store, Stored } from '../../core/ports/store.ts'
import { allWebhooks } from './all-webhooks.ts'
import { readProgress } from '../progress/progress.ts'
import { asWebhook, filterOf } from '../progress/stored-webhook.ts'
import { slicePauseMs } from '../retention/trim.ts'

/** The states that a webhook can be in. */
export const webhookStates = webhooks.fields.state.enum

/** Sums over the webhooks in one state. */
export interface StateFigures {
  readonly webhooks: number
  /** Number of undelivered notifications. */
  readonly lag: number
  /** Time of the oldest one; null if there is none. */
  readonly oldestAt: Instant | null
}

/** The figures by state. */
export type Survey = ReadonlyMap<Webhook['state'], StateFigures>

const nobody: StateFigures = { webhooks: 0, lag: 0, oldestAt: null }

/** Looks through the webhooks of every account, with pauses that leave room for others. */
export async function measureBacklog(
  store: Store,
  clock: Clock,
  signal: AbortSignal,
): Promise<Survey> {
  const figures = new Map(webhookStates.map((state) => [state, nobody]))
  let pages = 0
  for await (const page of allWebhooks(store)) {
    if (pages > 0) await wait(clock, slicePauseMs, signal)
    if (signal.aborted) break
    pages += 1
    await store.read(everyAccount, async (reader) => {
      for (const stored of page) {
        const webhook: JsonObject = JSON.parse(stored.doc)
        const { state = 'ACTIVE' } = asWebhook(webhook)
        const before = figures.get(state) ?? nobody
        figures.set(state, joined(before, await figuresOf(stored, webhook, reader, store)))
      }
    })
  }
  return figures
}

async function figuresOf(
  { account, id }: Stored,
  webhook: JsonObject,
  reader: Reader,
  { log }: Store,
): Promise<StateFigures> {
  const one = { ...nobody, webhooks: 1 }
  const consumer = await reader.findConsumer(account, id)
  if (consumer === null) return one
  const { from } = readProgress(consumer.progress, log.parse)
  const [place, filter] = [from ?? consumer.position, filterOf(asWebhook(webhook))]
  // Count first, because counting is sliced: searching the oldest of unwanted records would read
  // all.
  const lag = await log.count(account, place, filter)
  const [oldest] = lag === 0 ? [] : await log.read(account, place, filter, 1)
  return oldest === undefined ? one : { ...one, lag, oldestAt: oldest.at }
}

function joined(a: StateFigures, b: StateFigures): StateFigures {
  return {
    webhooks: a.webhooks + b.webhooks,
    lag: a.lag + b.lag,
    oldestAt: older(a.oldestAt, b.oldestAt),
  }
}

function older(a: Instant | null, b: Instant | null): Instant | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}
