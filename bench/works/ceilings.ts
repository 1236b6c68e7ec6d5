import { join } from 'node:path'
import type { Pace } from '../interleave.ts'
import { type Outcome, row } from '../outcome.ts'
import { findPgbench, pgbench, pgbenchDoes } from '../nodes/pgbench.ts'
import { ask, askedFrom, loadFrom, start } from '../processes.ts'
import type { Statements } from '../programs/statements.ts'
import { aMessage } from '../rows.ts'
import { type Service, startService } from '../subjects/nuncio.ts'
import { type Postgres, postgresDurability } from '../subjects/postgres.ts'
import { temporaryFolder } from './temporary-folder.ts'

const titles = {
  'sqlite-get': ['SQLite alone: one document by its id', 1],
  'sqlite-list': ['SQLite alone: 50 documents by status', 1],
  'sqlite-insert': ['SQLite alone: insert a document and commit', 1],
  'sqlite-insert-64': ['SQLite alone: insert 64 documents, then commit', 64],
} as const

/** What bare statements of SQLite can do on this machine, flushed as the service flushes. */
export async function sqliteAlone({ rounds, seconds }: Pace, rows: number): Promise<Outcome[]> {
  using folder = temporaryFolder()
  const doc = JSON.stringify(aMessage(17, rows))
  const work: Statements = { file: join(folder.path, 'bare.db'), rows, doc, seconds }
  await using bare = await start('statements.ts', JSON.stringify(work))
  const values = new Map(Object.keys(titles).map((name) => [name, [] as number[]]))
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, [, each]] of Object.entries(titles)) {
      values.get(name)?.push((await ask<number>(bare.process, name)) * each)
    }
  }
  return Object.entries(titles).map(([name, [title]]) => ({
    work: name,
    title,
    unit: name.includes('insert') ? 'rows/s' : 'statements/s',
    isLessBetter: false,
    rows: [row('node:sqlite', 'ceiling', values.get(name) ?? [])],
    notes: [],
  }))
}

/** Connections of clients, and clients of pgbench. */
const connections = 64

/** POST over PostgreSQL beside `pgbench`, which does the insertions of as many messages. */
export async function onPostgres(
  postgres: Postgres,
  { rounds, seconds }: Pace,
): Promise<Outcome[]> {
  using folder = temporaryFolder()
  await using service = await startedOver(await postgres.ownedDatabase(), folder.path)
  const request = await service.request('postLater')
  if (request === null) return []
  const url = await postgres.ownedDatabase()
  await (await startedOver(url, folder.path))[Symbol.asyncDispose]()
  const program = findPgbench()
  const [ours, theirs]: [number[], number[]] = [[], []]
  const load = { port: service.port, request, connections }
  await loadFrom({ ...load, seconds: 1 })
  for (let round = 0; round < rounds; round += 1) {
    ours.push((await loadFrom({ ...load, seconds })).perSecond)
    if (program === null) continue
    const whole = Math.max(1, Math.round(seconds))
    const run = { program, url, clients: connections, seconds: whole, folder: folder.path }
    theirs.push(await pgbench(run))
  }
  const ceiling = row('pgbench, the insertions alone, a message a transaction', 'ceiling', theirs)
  return [
    {
      work: 'post-postgres',
      title: `POST a message to be sent later, PostgreSQL, ${connections} connections`,
      unit: 'requests/s',
      isLessBetter: false,
      rows: [row('Nuncio, PostgreSQL', 'ours', ours), ...(program === null ? [] : [ceiling])],
      notes: [
        postgresDurability,
        program === null ? 'There is no pgbench here' : pgbenchDoes,
        'PostgreSQL has a core; the service, its clients and pgbench the other',
      ],
    },
  ]
}

/** The service on the core of the clients: the other one is the server's, as it is for pgbench. */
function startedOver(url: string, folder: string): Promise<Service> {
  return startService(url, folder, 0, undefined, askedFrom)
}
