import { join } from 'node:path'
import { type Outcome, row } from '../outcome.ts'
import { ask, askedFrom, command, end, pause, type Running, start } from '../processes.ts'
import type { Posts } from '../programs/posts.ts'
import { folderOf } from '../subjects/install.ts'
import { startService } from '../subjects/nuncio.ts'
import { type Postgres, postgresDurability } from '../subjects/postgres.ts'
import { call, type Counted, makeBacklog, untilHad } from './backlog.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What deliveries are measured with. */
export interface DeliveriesPlan {
  readonly rounds: number
  readonly records: number
  readonly webhooks: number
  /** Null where there is none: then SQLite alone is measured. */
  readonly postgres: Postgres | null
  /** Queues on PostgreSQL that are installed. */
  readonly queues: readonly string[]
}

/**
 * Records delivered per second: a backlog is made while nothing is sent, then it is sent. The ceiling
 * is undici posting the same bytes to the same sink, as many at once as there are webhooks, each one
 * request at a time as the order of a webhook demands. Queues send one record with each job.
 */
export async function deliveries(plan: DeliveriesPlan): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const maxBatch of [1, 100]) outcomes.push(await compare(plan, maxBatch))
  return outcomes
}

type Way = (sink: Running) => Promise<number>

async function compare(plan: DeliveriesPlan, maxBatch: number): Promise<Outcome> {
  const { rounds, webhooks, postgres, queues } = plan
  let record = ''
  const ways: [name: string, role: 'ours' | 'ceiling' | 'contender', way: Way][] = [
    [
      'Nuncio, SQLite',
      'ours',
      async (sink) => {
        const drained = await drain((folder) => `sqlite:${folder}/nuncio.db`, sink, plan, maxBatch)
        record = drained.record
        return drained.perSecond
      },
    ],
    ['undici alone, the same bytes', 'ceiling', (sink) => ceiling(sink, record, maxBatch, plan)],
  ]
  if (postgres !== null) {
    ways.push([
      'Nuncio, PostgreSQL',
      'contender',
      async (sink) => {
        const url = await postgres.database()
        return (await drain(() => url, sink, plan, maxBatch)).perSecond
      },
    ])
    for (const name of maxBatch === 1 ? queues : []) {
      const title = `${name}, PostgreSQL, a job for each record`
      ways.push([title, 'contender', (sink) => queued(name, postgres, sink, record, plan)])
    }
  }
  const values = ways.map(() => [] as number[])
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, [, , way]] of ways.entries()) {
      await using sink = await start('sink.ts', '', askedFrom)
      values[index]?.push(await way(sink))
    }
  }
  return {
    work: `deliveries-${maxBatch}`,
    title: `Deliver to ${webhooks} webhooks, at most ${maxBatch} records in a request`,
    unit: 'records/s',
    isLessBetter: false,
    rows: ways.map(([name, role], index) => row(name, role, values[index] ?? [])),
    notes: postgres === null ? [] : [postgresDurability],
  }
}

/** Makes the backlog, switches the webhooks on, and times how long the sink takes to have it all. */
async function drain(
  store: (folder: string) => string,
  sink: Running,
  { records, webhooks }: DeliveriesPlan,
  maxBatch: number,
): Promise<{ perSecond: number; record: string }> {
  using folder = temporaryFolder()
  await using service = await startService(store(folder.path), folder.path)
  const url = `http://127.0.0.1:${sink.port}/hook`
  const names = Array.from({ length: webhooks }, (_, index) => `sink${index}`)
  for (const name of names) {
    await call(service, 'PUT', `/webhooks/${name}`, { url, maxBatch, active: false })
  }
  await makeBacklog(service, records / webhooks, 'sink0')
  const [record] = (await call(service, 'GET', '/notifications?pageSize=1')) as object[]
  for (const name of names) await call(service, 'PATCH', `/webhooks/${name}`, { active: true })
  const began = performance.now()
  const early = (await ask<Counted>(sink.process)).records
  await untilHad(sink, records)
  const seconds = (performance.now() - began) / 1000
  return { perSecond: (records - early) / seconds, record: JSON.stringify(record) }
}

/** The same bytes, with nothing kept. */
async function ceiling(
  sink: Running,
  record: string,
  maxBatch: number,
  { records, webhooks }: DeliveriesPlan,
): Promise<number> {
  const body = `[${Array(maxBatch).fill(record).join(',')}]`
  const requests = Math.max(Math.ceil(records / maxBatch), 2000)
  const work: Posts = {
    port: sink.port,
    headers: sampleHeaders,
    body,
    connections: webhooks,
    requests,
  }
  await using posts = await start('posts.ts', JSON.stringify(work))
  return posts.perSecond * maxBatch
}

/** Puts the jobs in, then starts the worker and times how long the sink takes to have them all. */
async function queued(
  name: string,
  postgres: Postgres,
  sink: Running,
  record: string,
  { records, webhooks }: DeliveriesPlan,
): Promise<number> {
  const env = {
    DATABASE: await postgres.database(),
    RECORDS: String(records),
    RECORD: record,
    AT_ONCE: String(webhooks),
    URL: `http://127.0.0.1:${sink.port}/hook`,
  }
  const run = (script: string): ReturnType<typeof command> =>
    command({
      program: process.execPath,
      args: [join(folderOf(name), script)],
      cwd: folderOf(name),
      env,
    })
  const filling = run('fill.js')
  const code = await new Promise<number | null>((resolve) => filling.child.once('exit', resolve))
  if (code !== 0) throw new Error(`${name} took no jobs:\n${filling.printed()}`)
  const worker = run('work.js')
  try {
    while ((await ask<Counted>(sink.process)).records === 0) await alive(worker)
    const began = performance.now()
    const early = (await ask<Counted>(sink.process)).records
    await untilHad(sink, records)
    return (records - early) / ((performance.now() - began) / 1000)
  } finally {
    await end(worker.child, 'SIGKILL')
  }
}

async function alive({ child, printed }: ReturnType<typeof command>): Promise<void> {
  if (child.exitCode !== null) throw new Error(`a worker ended:\n${printed()}`)
  await pause(2)
}

/** As long as those of a delivery. */
const sampleHeaders = {
  'user-agent': 'Nuncio/0.1.0',
  'content-type': 'application/json',
  'webhook-id': 'batch_01m7yrwh8eecza7gsf39kj32na',
  'webhook-timestamp': '1795262400',
  'webhook-signature': `v1,${'A'.repeat(43)}=`,
}
