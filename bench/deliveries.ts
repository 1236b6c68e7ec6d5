import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { figure, spread } from './figures.ts'
import { ask, start, stop, type Running } from './processes.ts'

/** How many notifications are waiting when the webhook is switched on. */
const backlog = 10_000

interface Counted {
  readonly requests: number
  readonly records: number
}

/**
 * Records delivered per second: a backlog is made while the webhook is off, then it is switched on.
 * The ceiling is undici posting the same bytes to the same sink, one request at a time as the
 * order of a webhook demands.
 */
export async function deliveries(rounds: number): Promise<void> {
  for (const maxBatch of [1, 100]) {
    const results = { ours: [] as number[], ceiling: [] as number[], ratio: [] as number[] }
    for (let round = 0; round < rounds; round += 1) {
      const sink = await start('sink.ts', '')
      const { perSecond, record } = await drain(sink, maxBatch)
      const ceiling = await post(sink, `[${Array(maxBatch).fill(record).join(',')}]`, maxBatch)
      await stop(sink)
      results.ours.push(perSecond)
      results.ceiling.push(ceiling)
      results.ratio.push(perSecond / ceiling)
    }
    const ratio = spread(results.ratio)
    process.stdout.write(
      `${`records delivered, batch ${maxBatch}`.padEnd(28)} ${figure(spread(results.ours).median)}/s, ` +
        `undici alone ${figure(spread(results.ceiling).median)}/s, ratio ${ratio.median.toFixed(2)} ` +
        `(${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)})\n`,
    )
  }
}

/** Makes the backlog, switches the webhook on, and times how long the sink takes to have it all. */
async function drain(
  sink: Running,
  maxBatch: number,
): Promise<{ perSecond: number; record: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
  const service = await start('service.ts', folder)
  const base = `http://127.0.0.1:${service.port}/v1`
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' }
  const send = (method: string, path: string, body: object): Promise<Response> =>
    fetch(base + path, { method, headers, body: JSON.stringify(body) })

  const url = `http://127.0.0.1:${sink.port}/hook`
  await send('PUT', '/webhooks/sink', { url, maxBatch, active: false })
  await Promise.all(
    Array.from({ length: 64 }, async (_, lane) => {
      for (let index = lane; index < backlog; index += 64) {
        await (
          await send('POST', '/messages', { to: '+4915112345678', body: `number ${index}` })
        ).text()
      }
    }),
  )
  const webhook = async (): Promise<{ lag: number }> =>
    (await (await fetch(`${base}/webhooks/sink`, { headers })).json()) as { lag: number }
  while ((await webhook()).lag < backlog) await pause(50)
  const [record] = (await (
    await fetch(`${base}/notifications?pageSize=1`, { headers })
  ).json()) as object[]

  const before = await ask<Counted>(sink.process)
  const began = performance.now()
  await send('PATCH', '/webhooks/sink', { active: true })
  let now = before
  while (now.records - before.records < backlog) {
    await pause(5)
    now = await ask<Counted>(sink.process)
  }
  const perSecond = backlog / ((performance.now() - began) / 1000)
  await stop(service)
  rmSync(folder, { recursive: true })
  return { perSecond, record: JSON.stringify(record) }
}

/** The ceiling: the same bytes, one request after the other, with nothing kept. */
async function post(sink: Running, body: string, maxBatch: number): Promise<number> {
  const pool = new Pool(`http://127.0.0.1:${sink.port}`, { connections: 1 })
  const requests = Math.ceil(backlog / maxBatch)
  const began = performance.now()
  for (let index = 0; index < requests; index += 1) {
    const { body: answer } = await pool.request({ path: '/hook', method: 'POST', body })
    await answer.dump()
  }
  const seconds = (performance.now() - began) / 1000
  await pool.close()
  return (requests * maxBatch) / seconds
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
