import { type Webhook, webhooks } from '../../collections/webhooks.ts'
import { everyAccount } from '../../core/account.ts'
import type { JsonObject } from '../../core/json.ts'
import { type Clock, type Instant, wait } from '../../core/ports/clock.ts'
import type { Metrics, Sample } from '../../core/ports/metrics.ts'
import type { Reader, Store, Stored } from '../../core/ports/store.ts'
import { asWebhook } from '../progress/stored-webhook.ts'
import { undelivered } from '../retention/undelivered.ts'
import { slicePauseMs } from '../retention/trim.ts'

/** Validity of a measurement, in milliseconds: each one reads every webhook. */
const freshMs = 10_000

/** Maximum wait of a metrics request, in milliseconds; after that it gets the previous measurement. */
const patienceMs = 2000

/** Dependencies of the webhook metrics. */
export interface WebhookMetricParts {
  readonly store: Store
  readonly clock: Clock
  /** Reports a failed measurement; the metrics show the previous one. */
  readonly onFault: (error: unknown) => void
}

/** Registers gauges for webhooks by state: their number, backlog and oldest notification. */
export function measureWebhooks(registry: Metrics, parts: WebhookMetricParts): AsyncDisposable {
  const stopping = new AbortController()
  const read = lastSurvey(parts, stopping.signal)
  const gauge = (
    name: string,
    help: string,
    valueOf: (figures: StateFigures, now: number) => number,
  ): void =>
    registry.gauge(name, help, async () => {
      const found = await read.now()
      return [...found].map(([state, figures]): Sample => {
        return { labels: { state }, value: valueOf(figures, parts.clock.now()) }
      })
    })

  gauge('nuncio_webhooks', 'Webhooks by state.', ({ webhooks }) => webhooks)
  gauge('nuncio_webhook_lag_records', 'Notifications that wait for delivery.', ({ lag }) => lag)
  gauge(
    'nuncio_webhook_oldest_undelivered_seconds',
    'Age of the oldest notification that waits for delivery, or 0.',
    ({ oldestAt }, now) => (oldestAt === null ? 0 : Math.max(now - oldestAt, 0) / 1000),
  )

  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await read.ended()
    },
  }
}

/** Measures on request if the last measurement is old, one at a time. */
function lastSurvey({ store, clock, onFault }: WebhookMetricParts, signal: AbortSignal) {
  let last: Survey = new Map()
  let lookedAt = -Infinity
  let looking: Promise<void> | null = null
  const look = async (): Promise<void> => {
    try {
      const found = await measureBacklog(store, clock, signal)
      if (!signal.aborted) last = found
    } catch (error) {
      onFault(error)
    }
    lookedAt = clock.monotonic()
    looking = null
  }
  return {
    now: async (): Promise<Survey> => {
      if (signal.aborted || clock.monotonic() - lookedAt < freshMs) return last
      looking ??= look()
      const enough = new AbortController()
      await Promise.race([looking, wait(clock, patienceMs, enough.signal)])
      enough.abort()
      return last
    },
    ended: async (): Promise<void> => {
      await looking
    },
  }
}

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
        figures.set(state, joined(before, await figuresOf(stored, reader, store)))
      }
    })
  }
  return figures
}

async function figuresOf(stored: Stored, reader: Reader, { log }: Store): Promise<StateFigures> {
  const { count, oldestAt } = await undelivered(log, reader, stored)
  return { webhooks: 1, lag: count, oldestAt }
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

/** Webhooks per page. */
const pageSize = 100

/**
 * Reads the webhooks of every account, page by page. It may miss one that is added or removed
 * during the read.
 */
async function* allWebhooks(store: Store): AsyncIterable<readonly Stored[]> {
  for (let offset = 0; ; offset += pageSize) {
    const sort = [{ path: ['id'], direction: 'asc' }] as const
    const query = { conditions: [], searchTerms: [], sort, start: { offset }, limit: pageSize }
    const page = await store.read(everyAccount, (reader) => reader.list(webhooks, null, query))
    yield page
    if (page.length < pageSize) return
  }
}
