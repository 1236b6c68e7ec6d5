import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { deliveries } from './deliveries.ts'
import { figure, spread } from './figures.ts'
import { loadFrom, start, stop } from './processes.ts'

/** `npm run bench [rounds] [seconds]`: each round measures the ceiling and the service in turn. */
const rounds = Number(process.argv[2] ?? 5)
const seconds = Number(process.argv[3] ?? 3)

const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-'))
const service = await start('service.ts', folder)
const base = `http://127.0.0.1:${service.port}`
const authorization = `Bearer ${service.key}`
const headers = { authorization, 'content-type': 'application/json' }
const message = JSON.stringify({
  to: '+4915112345678',
  body: 'Your parcel arrives today at 14:00.',
})

process.stdout.write(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}; store: SQLite, WAL, flushed before each answer\n` +
    `${rounds} rounds of ${seconds} s, 64 connections, load from another process\n\n`,
)

interface Work {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body: string
  readonly goal: number
}

const made = await fetch(`${base}/v1/contacts`, {
  method: 'POST',
  headers,
  body: JSON.stringify({ name: 'Ada Lovelace', address: '+4915112345678', tags: ['vip'] }),
})
const path = made.headers.get('location') ?? ''
const works: readonly Work[] = [
  { name: 'GET by id', method: 'GET', path, body: '', goal: 0.6 },
  { name: 'POST a message', method: 'POST', path: '/v1/messages', body: message, goal: 0.4 },
]

for (const work of works) {
  const sample = await fetch(base + work.path, {
    method: work.method,
    headers,
    ...(work.body === '' ? {} : { body: work.body }),
  })
  const bare = await start(
    'bare.ts',
    JSON.stringify({
      status: sample.status,
      headers: { 'content-type': 'application/json', etag: sample.headers.get('etag') },
      body: await sample.text(),
    }),
  )
  const results = {
    ours: [] as number[],
    ceiling: [] as number[],
    ratio: [] as number[],
    p99: [] as number[],
  }
  for (let round = 0; round < rounds; round += 1) {
    const load = { ...work, headers, connections: 64, seconds }
    const ceiling = await loadFrom({ ...load, port: bare.port })
    const ours = await loadFrom({ ...load, port: service.port })
    results.ceiling.push(ceiling.perSecond)
    results.ours.push(ours.perSecond)
    results.ratio.push(ours.perSecond / ceiling.perSecond)
    results.p99.push(ours.p99Ms)
  }
  await stop(bare)
  const ratio = spread(results.ratio)
  process.stdout.write(
    `${work.name.padEnd(28)} ${figure(spread(results.ours).median)}/s, bare node:http ` +
      `${figure(spread(results.ceiling).median)}/s, ratio ${ratio.median.toFixed(2)} ` +
      `(${ratio.low.toFixed(2)} to ${ratio.high.toFixed(2)}), goal ${work.goal}, ` +
      `p99 ${figure(spread(results.p99).median)} ms\n`,
  )
}
await stop(service)
rmSync(folder, { recursive: true })
await deliveries(rounds)
