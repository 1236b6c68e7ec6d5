import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Pace } from '../interleave.ts'
import { type Outcome, row } from '../outcome.ts'
import { ask, askedFrom, canPin, loadFrom, start } from '../processes.ts'
import type { Statements } from '../programs/statements.ts'
import { aMessage } from '../rows.ts'
import { startService } from '../subjects/nuncio.ts'
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

/** POST over PostgreSQL beside its own measure, `pgbench`, inserting the same documents one a transaction. */
export async function onPostgres(
  postgres: Postgres,
  { rounds, seconds }: Pace,
): Promise<Outcome[]> {
  using folder = temporaryFolder()
  await using service = await startService(await postgres.database(), folder.path)
  const request = await service.request('postLater')
  if (request === null) return []
  const url = await postgres.database()
  const measure = await inserts(url, folder.path)
  const [ours, theirs]: [number[], number[]] = [[], []]
  const load = { port: service.port, request, connections: 64 }
  await loadFrom({ ...load, seconds: 1 })
  for (let round = 0; round < rounds; round += 1) {
    ours.push((await loadFrom({ ...load, seconds })).perSecond)
    theirs.push(await measure.run(Math.max(1, Math.round(seconds))))
  }
  return [
    {
      work: 'post-postgres',
      title: 'POST a message to be sent later, PostgreSQL, 64 connections',
      unit: 'requests/s',
      isLessBetter: false,
      rows: [row('Nuncio, PostgreSQL', 'ours', ours), row(measure.name, 'ceiling', theirs)],
      notes: [postgresDurability, ...measure.notes],
    },
  ]
}

interface Measure {
  readonly name: string
  readonly notes: readonly string[]
  run(seconds: number): Promise<number>
}

async function inserts(url: string, folder: string): Promise<Measure> {
  // pgbench takes a colon for the beginning of a variable.
  const doc = JSON.stringify(aMessage(17, 1000)).replaceAll(':', ' ').replaceAll("'", "''")
  const sql = `insert into messages (status, doc) values ('D', '${doc}')`
  const table =
    'create table messages (id bigserial primary key, status text, doc text);' +
    'create index on messages (status, id)'
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(table)
  await client.end()
  if (spawnSync('pgbench', ['--version']).status === 0) return pgbench(url, folder, sql)
  return {
    name: 'the same insert in a loop of 64 connections',
    notes: ['There is no pgbench here: the client of Node stands in for it.'],
    run: (seconds) => looped(url, sql, seconds),
  }
}

function pgbench(url: string, folder: string, sql: string): Measure {
  const script = join(folder, 'insert.sql')
  writeFileSync(script, `${sql};\n`)
  return {
    name: 'pgbench, 64 clients, a row a transaction',
    notes: [],
    run: async (seconds) => {
      const args = ['-n', '-f', script, '-c', '64', '-T', String(seconds), '-M', 'prepared', url]
      const [program = '', ...rest] = canPin
        ? ['taskset', '-c', String(askedFrom), 'pgbench', ...args]
        : ['pgbench', ...args]
      const { stdout, stderr } = spawnSync(program, rest, { encoding: 'utf8' })
      const found = /tps = ([\d.]+)/.exec(stdout)?.[1]
      if (found === undefined) throw new Error(`pgbench: ${stderr}`)
      return Number(found)
    },
  }
}

async function looped(url: string, sql: string, seconds: number): Promise<number> {
  const clients = Array.from({ length: 64 }, () => new Client({ connectionString: url }))
  await Promise.all(clients.map((client) => client.connect()))
  const until = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < until; done += 1) await client.query(sql)
      await client.end()
    }),
  )
  return done / seconds
}
