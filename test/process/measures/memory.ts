import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent, request } from 'node:http'
import { ask, end, headers, pause, say, startService, type Memory } from './parts/programs.ts'

/**
 * `npm run chaos:memory [notifications]`: the memory of the service while ever more notifications
 * wait for a receiver that is down. Heap is what is left after a collection. Once the first tenth of
 * the notifications is there, neither may ever be more than a tenth above what it is then.
 */
const wanted = Number(process.argv[2] ?? 1_000_000)
const tolerance = 0.1

/** What a message leaves in the log: it is ACCEPTED, SENT and DELIVERED. */
const perMessage = 3

const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
const service = await startService(folder, { NUNCIO_RETRY_SCHEDULE: '5' })
const base = `${service.url}/v1`
const agent = new Agent({ keepAlive: true, maxSockets: 64 })

// Port 9 is one where nobody listens: each attempt is refused at once.
const webhook = { url: 'http://127.0.0.1:9/', statuses: ['ACCEPTED', 'SENT', 'DELIVERED'] }
const made = await fetch(`${base}/webhooks/down`, {
  method: 'PUT',
  headers,
  body: JSON.stringify(webhook),
})
if (made.status !== 200) throw new Error(await made.text())

const message = JSON.stringify({
  to: '+4915112345678',
  body: 'Your parcel arrives today at 14:00.',
})
const steady: Memory[] = []
const began = performance.now()
let lag = 0
say('seconds  waiting    heap MB  RSS MB  file MB')
while (lag < wanted) {
  await send(Math.min(5000, (wanted - lag) / perMessage))
  lag = await settled()
  const memory = await ask<Memory>(service.process)
  if (lag >= wanted / 10) steady.push(memory)
  const seconds = (performance.now() - began) / 1000
  const size = statSync(join(folder, 'nuncio.db')).size
  const figures = [memory.heap, memory.rss, size].map((bytes) =>
    (bytes / 1e6).toFixed(1).padStart(8),
  )
  say(`${seconds.toFixed(0).padStart(7)} ${String(lag).padStart(8)} ${figures.join('')}`)
}
const holds = [report('heap', 'heap'), report('RSS', 'rss')].every((isFlat) => isFlat)
agent.destroy()
await end(service.process)
rmSync(folder, { recursive: true })
process.exitCode = holds ? 0 : 1

/** Sends so many messages, 64 at once. */
async function send(count: number): Promise<void> {
  let left = Math.ceil(count)
  const one = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(`${base}/messages`, { method: 'POST', headers, agent }, (answer) => {
        answer.resume().once('end', resolve)
      })
      sent.once('error', reject).end(message)
    })
  const lane = async (): Promise<void> => {
    for (; left > 0; left -= 1) await one()
  }
  await Promise.all(Array.from({ length: 64 }, lane))
}

/** How many wait once every message is DELIVERED. */
async function settled(): Promise<number> {
  for (let before = -1; ; await pause(300)) {
    const answer = await fetch(`${base}/webhooks/down?fields=lag`, { headers })
    const { lag: now } = (await answer.json()) as { lag: number }
    if (now === before && now % perMessage === 0) return now
    before = now
  }
}

function report(name: string, key: keyof Memory): boolean {
  const values = steady.map((memory) => memory[key] / 1e6)
  const first = middle(values.slice(0, Math.ceil(values.length / 10)))
  const last = middle(values.slice(-Math.ceil(values.length / 10)))
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const isFlat = high <= first * (1 + tolerance)
  say(
    `${name}: ${first.toFixed(1)} MB at first, ${last.toFixed(1)} at last (${percent(last, first)}), ` +
      `between ${low.toFixed(1)} and ${high.toFixed(1)} (${percent(high, first)}): ` +
      (isFlat ? 'flat' : 'NOT FLAT'),
  )
  return isFlat
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN
}

function percent(value: number, of: number): string {
  const change = (value / of - 1) * 100
  return `${change < 0 ? '' : '+'}${change.toFixed(1)} %`
}
