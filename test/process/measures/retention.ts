import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { webhooks } from '../../../src/collections/webhooks.ts'
import { defaultAccount } from '../../../src/core/account.ts'
import { systemClock } from '../../../src/core/ports/clock.ts'
import type { Maintained, Store } from '../../../src/core/ports/store.ts'
import { initialProgress, progressText } from '../../../src/delivery/progress/progress.ts'
import { startRetention } from '../../../src/delivery/retention/retention.ts'
import { measureBacklog } from '../../../src/delivery/workers/webhook-metrics.ts'
import { standardOffer } from '../../../src/wiring/wire.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { measureUnderDump } from './parts/under-dump.ts'
import { pause, say } from './parts/programs.ts'

/**
 * `npm run chaos:retention [notifications] [messages]`: how long removing a log that has become too old holds up
 * everything else, slice by slice; and the looking through webhooks of which one wants nothing of it. Then,
 * on PostgreSQL, how long accepting a message takes while messages and bodies are removed under a dump.
 */
const notifications = Number(process.argv[2] ?? 1_000_000)
const messages = Number(process.argv[3] ?? 40_000)
const dayMs = 24 * 3_600_000

const folder = mkdtempSync(join(tmpdir(), 'nuncio-measure-'))
const store = await sqliteStore(join(folder, 'nuncio.db'), standardOffer.collections)
const longAgo = systemClock.now() - 8 * dayMs
await store.transact(async (transaction) => {
  const writer = transaction.in(defaultAccount)
  for (const [id, types] of [
    ['all', ['SENT']],
    ['none', ['RECEIVED']],
  ] as const) {
    const webhook = { id, url: 'https://w.example/', types, state: 'DISABLED', active: false }
    await writer.save(webhooks, { id }, webhook, null)
    await transaction.consumers.put(defaultAccount, id, progressText(initialProgress))
  }
})
for (let first = 0; first < notifications; first += 1000) {
  await store.transact(async (transaction) => {
    const writer = transaction.in(defaultAccount)
    for (let index = first; index < first + 1000; index += 1) {
      const messageId = `message_${String(index).padStart(26, '0')}`
      const record = JSON.stringify({ id: messageId, body: 'x'.repeat(600) })
      await writer.notify({ type: 'SENT', status: 'DELIVERED', messageId, at: longAgo, record })
    }
  })
}
say(`${notifications} notifications that are 8 days old`)

await held('at rest', () => pause(2000))
await held('looking through the webhooks', async () => {
  await measureBacklog(store, systemClock, new AbortController().signal)
})
const slices: number[] = []
let isDone = false
await held('removing what is too old', async () => {
  const watched = {
    ...store,
    maintain: async (...asked: Parameters<Store['maintain']>): Promise<Maintained> => {
      const began = process.threadCpuUsage()
      const left = await store.maintain(...asked)
      const { user, system } = process.threadCpuUsage(began)
      slices.push((user + system) / 1000)
      isDone = !left.isMore
      return left
    },
  }
  let fault: unknown = null
  const running = startRetention({
    owner: null,
    auditKeptMs: 365 * 86_400_000,
    store: watched,
    clock: systemClock,
    onFault: (error) => (fault = error),
  })
  while (!isDone && fault === null) await pause(100)
  await running[Symbol.asyncDispose]()
  if (fault !== null) throw fault
})
const sorted = slices.toSorted((a, b) => a - b)
const at = (share: number): string => (sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(2)
say(
  `${slices.length} slices, computing time of each: p50 ${at(0.5)}, p99 ${at(0.99)}, worst ${at(0.99999)} ms`,
)
await store[Symbol.asyncDispose]()
rmSync(folder, { recursive: true })
await measureUnderDump(messages)

/** Says how long at most nothing else could run while a piece of work ran. */
async function held(name: string, work: () => Promise<void>): Promise<void> {
  const delays = monitorEventLoopDelay({ resolution: 1 })
  const began = performance.now()
  const computed = process.threadCpuUsage()
  delays.enable()
  await work()
  delays.disable()
  const { user, system } = process.threadCpuUsage(computed)
  const [p50, p99, worst] = [delays.percentile(50), delays.percentile(99), delays.max]
  const figures = [p50, p99, worst ?? 0].map((nanos) => (nanos / 1e6).toFixed(1))
  say(
    `${name}: ${((performance.now() - began) / 1000).toFixed(1)} s, of which it computed ` +
      `${((user + system) / 1000).toFixed(0)} ms; nothing else ran for ` +
      `p50 ${figures[0]}, p99 ${figures[1]}, at worst ${figures[2]} ms`,
  )
}
