import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, spread } from './figures.ts'
import { ask, loadFrom, start, stop } from './processes.ts'

/**
 * `npm run bench:memory [notifications]`: the memory of the service while ever more notifications
 * wait for a receiver that is down. Heap is what is left after a collection. It must stay within a
 * tenth of its middle once the first tenth of the notifications is there.
 */
const wanted = Number(process.argv[2] ?? 1_000_000)
const tolerance = 0.1

/** What a message leaves in the log: it is ACCEPTED, SENT and DELIVERED. */
const perMessage = 3

interface Memory {
  readonly rss: number
  readonly heap: number
}

const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
const service = await start('service.ts', folder)
const base = `http://127.0.0.1:${service.port}/v1`
const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }

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
  const work = { method: 'POST', path: '/v1/messages', body: message, headers, connections: 64 }
  await loadFrom({ ...work, port: service.port, seconds: 5 })
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
await stop(service)
rmSync(folder, { recursive: true })
process.exitCode = holds ? 0 : 1

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
  const { low, median, high } = spread(steady.map((memory) => memory[key] / 1e6))
  const isFlat = low >= median * (1 - tolerance) && high <= median * (1 + tolerance)
  say(
    `${name}: ${figure(median)} MB, from ${figure(low)} (${percent(low, median)}) ` +
      `to ${figure(high)} (${percent(high, median)}): ${isFlat ? 'flat' : 'NOT FLAT'}`,
  )
  return isFlat
}

function percent(value: number, of: number): string {
  const change = (value / of - 1) * 100
  return `${change < 0 ? '' : '+'}${change.toFixed(1)} %`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
