import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, end, headers, pause, say, startService } from './parts/programs.ts'

/**
 * `npm run chaos:fairness [rounds] [seconds]`: what 900 webhooks that never answer cost 100 that do.
 * Each round measures the time from a message's acceptance to its arrival at each of the 100, first
 * with the 900 switched off, then on, then off again: all at one origin, each at its own, and all at
 * the origin of the 100.
 */
const rounds = Number(process.argv[2] ?? 3)
const seconds = Number(process.argv[3] ?? 10)

const webhooks = 1000
const healthy = 100
const perSecond = 2
const factorMax = 2

const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
const receivers = fork(new URL('./parts/half-deaf.ts', import.meta.url))
const [{ port }] = (await once(receivers, 'message')) as [{ readonly port: number }]
const service = await startService(folder, {})
const base = `${service.url}/v1`
const send = async (method: string, path: string, body: object): Promise<void> => {
  const answer = await fetch(base + path, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  await answer.text()
}

const silent = Array.from({ length: webhooks - healthy }, (_, index) => index)
for (let index = 0; index < healthy; index += 1) {
  const url = `http://127.0.0.1:${port}/healthy/${index}`
  await send('PUT', `/webhooks/healthy${index}`, { url, statuses: ['ACCEPTED'] })
}
say(
  `${healthy} webhooks that answer, ${silent.length} that never do, ${perSecond} messages/s, p99 ms`,
)
const worst: number[] = []
for (const origins of ['at one origin', 'at origins of their own', 'at that of the others']) {
  for (let round = 0; round < rounds; round += 1) {
    await each((index) => ({ url: urlOf(index, origins), active: false }))
    const alone = await measure()
    await each((index) => ({ url: urlOf(index, origins), active: true }))
    await pause(1000)
    const beside = await measure()
    await each((index) => ({ url: urlOf(index, origins), active: false }))
    await pause(2500)
    const again = await measure()
    const undisturbed = (alone.p99 + again.p99) / 2
    const factor = beside.p99 / undisturbed
    worst.push(factor)
    say(
      `${origins.padEnd(24)} before ${ms(alone.p99)}, beside them ${ms(beside.p99)}, ` +
        `after ${ms(again.p99)}: factor ${factor.toFixed(2)} ` +
        `(p50 ${ms(alone.p50)}, ${ms(beside.p50)}, ${ms(again.p50)}; ${beside.count} arrivals, ` +
        `${beside.silent} requests not answered)`,
    )
  }
}
const factors = worst.toSorted((a, b) => a - b)
const median = factors[Math.floor(factors.length / 2)] ?? Infinity
say(
  `factor: ${median.toFixed(2)} in the middle, ${Math.max(...factors).toFixed(2)} at worst, goal ${factorMax}`,
)
await end(service.process)
await end(receivers)
rmSync(folder, { recursive: true })
process.exitCode = median <= factorMax ? 0 : 1

function ms(value: number): string {
  return value.toFixed(0)
}

/** On Linux all of 127.0.0.0/8 is this machine. */
function urlOf(index: number, origins: string): string {
  const own = `127.1.${index >> 8}.${index & 255}`
  const shared = origins === 'at one origin' ? '127.0.0.2' : '127.0.0.1'
  const host = origins === 'at origins of their own' ? own : shared
  return `http://${host}:${port}/silent/${index}`
}

async function each(change: (index: number) => object): Promise<void> {
  const left = [...silent]
  const timeouts = { statuses: ['ACCEPTED'], timeoutMs: 5000 }
  const lane = async (): Promise<void> => {
    for (let index = left.pop(); index !== undefined; index = left.pop()) {
      await send('PUT', `/webhooks/silent${index}`, { ...timeouts, ...change(index) })
    }
  }
  await Promise.all(Array.from({ length: 64 }, lane))
}

/** Arrivals at those that answer. */
interface Measured {
  readonly p50: number
  readonly p99: number
  readonly count: number
  readonly silent: number
}

async function measure(): Promise<Measured> {
  await ask(receivers)
  const began = performance.now()
  for (let sent = 0; sent < seconds * perSecond; sent += 1) {
    await pause(Math.max((sent / perSecond) * 1000 - (performance.now() - began), 0))
    void send('POST', '/messages', { to: '+4915112345678', body: String(wallMs()) })
  }
  await pause(1500)
  const seen = await ask<{ readonly tookMs: number[]; readonly silent: number }>(receivers)
  const took = seen.tookMs.toSorted((a, b) => a - b)
  const at = (share: number): number => took[Math.floor(took.length * share)] ?? NaN
  return { p50: at(0.5), p99: at(0.99), count: took.length, silent: seen.silent }
}

/** The same in all processes of the machine. */
function wallMs(): number {
  return performance.timeOrigin + performance.now()
}
