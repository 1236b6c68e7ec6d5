import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from 'pg'
import { builtIn } from '../../../src/collections/built-in.ts'
import { sqliteStore } from '../../../src/stores/sqlite/sqlite-store.ts'
import { builtProgram } from '../../support/program.ts'
import { startKeeper } from '../../support/postgres/start-keeper.ts'

/**
 * `npm run measure:migrate [messages]`: how long `nuncio migrate-store` takes for so many messages, both
 * ways, over a PostgreSQL that waits for the disk: rows a second of moving and comparing together, and
 * the most memory.
 */
const count = Number(process.argv[2] ?? 1_000_000)
const at = '2026-01-01T00:00:00.000Z'
const sample = {
  id: '',
  type: 'SENT',
  from: 'Nuncio',
  to: '+4915112345678',
  body: 'Your code is 123456. It is valid for ten minutes.',
  encoding: 'TEXT',
  numberOfParts: 1,
  creditCost: 1,
  status: { id: 'DELIVERED.null', type: 'DELIVERED' },
  history: ['ACCEPTED', 'SENT', 'DELIVERED'].map((status) => ({ status, date: at })),
  createdAt: at,
  updatedAt: at,
}

const folder = mkdtempSync(join(tmpdir(), 'nuncio-measure-'))
const kept = await startKeeper(true)
if ('fault' in kept) throw new Error(kept.fault)
const server = `postgres://postgres@127.0.0.1:${kept.port}`
const client = new Client({ connectionString: `${server}/postgres` })
await client.connect()
await client.query("create role mover login password 'mover'")
await client.query('create database moved owner mover template template0')
await client.end()
const database = `postgres://mover:mover@127.0.0.1:${kept.port}/moved`
try {
  await fill(`${folder}/nuncio.db`)
  const mib = Math.round(statSync(`${folder}/nuncio.db`).size / 2 ** 20)
  process.stdout.write(`${count} messages, a file of ${mib} MiB\n`)
  move('SQLite to PostgreSQL', `sqlite:${folder}/nuncio.db`, database)
  move('PostgreSQL to SQLite', database, `sqlite:${folder}/back.db`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
function move(what: string, from: string, to: string): void {
  const began = performance.now()
  const node = [process.execPath, builtProgram, 'migrate-store', '--from', from, '--to', to]
  const { status, stdout, stderr } = spawnSync('/usr/bin/time', ['-f', '%M %U', ...node], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  const seconds = (performance.now() - began) / 1000
  const [kib = '', cpu = ''] = (stderr.trim().split('\n').at(-1) ?? '').split(' ')
  const perSecond = Math.round(count / seconds).toLocaleString('en')
  const memory = Math.round(Number(kib) / 1024)
  process.stdout.write(
    `${what}: ${seconds.toFixed(0)} s, ${perSecond} messages/s, ${cpu} s of CPU, at most ${memory} MiB\n`,
  )
}

/** A message as the service writes it, so many times. */
async function fill(file: string): Promise<void> {
  await (await sqliteStore(file, builtIn))[Symbol.asyncDispose]()
  const store = new DatabaseSync(file)
  store.exec('pragma synchronous = off')
  const doc = JSON.stringify(sample)
  store
    .prepare(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
      insert into "c/messages" (cell, account, id, revision, doc, search, "f/to", "f/created_at")
      select i % 1000 % 256, 'account_' || (i % 1000), printf('message_%026d', i), 'x' || i,
        json_replace(?, '$.id', printf('message_%026d', i)), 'hello ' || i, '+4915112345678', ?
      from n`,
    )
    .run(count, doc, sample.createdAt)
  store.close()
}
