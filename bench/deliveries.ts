import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { figure, spread } from './figures.ts'
import type { Posts } from './posts.ts'
import { ask, start, stop, type Running } from './processes.ts'

/** How many records are delivered in a round, over all webhooks. */
const records = 32_000

interface Counted {
  readonly requests: number
  readonly records: number
}

/**
 * Records delivered per second: a backlog is made while the webhooks are off, then they are switched
 * on. The ceiling is undici posting the same bytes to the same sink, as many at once as there are
 * webhooks, each one request at a time as the order of a webhook demands.
 */
export async function deliveries(rounds: number): Promise<void> {
  for (const maxBatch of [1, 100]) {
    for (const webhooks of [1, 16]) await compare(rounds, maxBatch, webhooks)
  }
}

async function compare(rounds: number, maxBatch: number, webhooks: number): Promise<void> {
  const results = { ours: [] as number[], ceiling: [] as number[], ratio: [] as number[] }
  for (let round = 0; round < rounds; round += 1) {
    const sink = await start('sink.ts', '', 1)
    const { perSecond, record } = await drain(sink, maxBatch, webhooks)
    const ceiling = await post(
      sink,
      `[${Array(maxBatch).fill(record).join(',')}]`,
      maxBatch,
      webhooks,
    )
    await stop(sink)
    results.ours.push(perSecond)
    results.ceiling.push(ceiling)
    results.ratio.push(perSecond / ceiling)
  }
  const ratio = spread(results.ratio)
  process.stdout.write(
    `${`delivered, batch ${maxBatch}, ${webhooks} webhook(s)`.padEnd(34)} ` +
      `${figure(spread(results.ours).median)} records/s, ` +
      `undici alone ${figure(spread(results.ceiling).median)}/s, ratio ${ratio.median.toFixed(2)} ` +
      `(${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})\n`,
  )
}

/** Makes the backlog, switches the webhooks on, and times how long the sink takes to have it all. */
async function drain(
  sink: Running,
  maxBatch: number,
  webhooks: number,
): Promise<{ perSecond: number; record: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
  const service = await start('service.ts', folder)
  const base = `http://127.0.0.1:${service.port}/v1`
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object): Promise<Response> =>
    fetch(base + path, { method, headers, body: JSON.stringify(body) })

  const url = `http://127.0.0.1:${sink.port}/hook`
  const names = Array.from({ length: webhooks }, (_, index) => `sink${index}`)
  for (const name of names) await send('PUT', `/webhooks/${name}`, { url, maxBatch, active: false })
  const backlog = records / webhooks
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      for (let index = lane; index < backlog; index += 64) {
        const body = { to: '+4915112345678', body: `number ${index}` }
        await (await send('POST', '/messages', body)).text()
      }
    }),
  )
  const webhook = async (): Promise<{ lag: number }> =>
    (await (await fetch(`${base}/webhooks/sink0`, { headers })).json()) as { lag: number }
  while ((await webhook()).lag < backlog) await pause(50)
  const [record] = (await (
    await fetch(`${base}/notifications?pageSize=1`, { headers })
  ).json()) as object[]

  const before = await ask<Counted>(sink.process)
  for (const name of names) await send('PATCH', `/webhooks/${name}`, { active: true })
  const began = performance.now()
  const early = await ask<Counted>(sink.process)
  let now = before
  while (now.records - before.records < records) {
    await pause(5)
    now = await ask<Counted>(sink.process)
  }
  const seconds = (performance.now() - began) / 1000
  await stop(service)
  rmSync(folder, { recursive: true })
  return { perSecond: (now.records - early.records) / seconds, record: JSON.stringify(record) }
}

/** The ceiling: the same bytes, with nothing kept. */
async function post(
  sink: Running,
  body: string,
  maxBatch: number,
  connections: number,
): Promise<number> {
  const requests = Math.max(Math.ceil(records / maxBatch), 2000)
  const work: Posts = { port: sink.port, headers: sampleHeaders, body, connections, requests }
  const posts = await start('posts.ts', JSON.stringify(work))
  await stop(posts)
  return posts.perSecond * maxBatch
}

/** As long as those of a delivery. */
const sampleHeaders = {
  'user-agent': 'Nuncio/0.1.0',
  'content-type': 'application/json',
  'webhook-id': 'batch_01m7yrwh8eecza7gsf39kj32na',
  'webhook-timestamp': '1795262400',
  'webhook-signature': `v1,${'A'.repeat(43)}=`,
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
