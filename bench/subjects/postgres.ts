import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { binaries, type Binaries } from '../../test/support/postgres/binaries.ts'
import { freePort } from '../../test/support/free-ports.ts'
import { canPin, pause, servedOn } from '../processes.ts'

/** A PostgreSQL of the bench's own. */
export interface Postgres extends AsyncDisposable {
  readonly version: string
  /** Makes an empty database and says how it is reached. */
  database(): Promise<string>
  /** The same, as the ordinary role that owns it. */
  ownedDatabase(): Promise<string>
}

/** The role that the service works as: it owns its database, and nothing else. */
const role = 'nuncio_bench'

/** How it keeps what it has acknowledged. */
export const postgresDurability = 'PostgreSQL, fsync, synchronous_commit and full_page_writes on'

/** Starts a PostgreSQL on the served core, as it comes: flushed before each answer. Throws where there is none. */
export async function startPostgres(): Promise<Postgres> {
  const found = binaries()
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-bench-cluster-'))
  copyCluster(found, folder)
  const port = await freePort()
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'max_connections=200',
    // A checkpoint within a run would make its figures depend on when it came.
    'checkpoint_timeout=1d',
    'max_wal_size=16GB',
  ]
  const args = ['-D', join(folder, 'data'), ...settings.flatMap((setting) => ['-c', setting])]
  const [program = '', ...rest] = canPin
    ? ['taskset', '-c', String(servedOn), found.postgres, ...args]
    : [found.postgres, ...args]
  const server = spawn(program, rest, { cwd: folder, stdio: 'ignore', ...found.user })
  const ended = once(server, 'exit')
  const administrator = `postgres://postgres@127.0.0.1:${port}/postgres`
  const version = await versionOf(administrator)
  let count = 0
  const make = async (owner: string): Promise<string> => {
    count += 1
    const name = `bench_${count}`
    const kind = `template template0 encoding 'UTF8' owner ${owner}`
    await asked(administrator, `create database ${name} ${kind}`)
    return `postgres://${owner}@127.0.0.1:${port}/${name}`
  }
  await asked(administrator, `create role ${role} login nosuperuser nobypassrls`)
  return {
    version,
    database: () => make('postgres'),
    ownedDatabase: () => make(role),
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT')
      await ended
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function copyCluster({ template, user }: Binaries, folder: string): void {
  const data = join(folder, 'data')
  cpSync(template, data, { recursive: true })
  if (user === null) return
  chownSync(folder, user.uid, user.gid)
  chownSync(data, user.uid, user.gid)
  for (const name of readdirSync(data, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(data, name), user.uid, user.gid)
  }
}

async function versionOf(url: string): Promise<string> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await asked(url, 'show server_version')
    } catch (error) {
      if (tries === 200) throw error
      await pause(50)
    }
  }
}

/** The first value of the answer to a statement. */
async function asked(url: string, sql: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query({ text: sql, rowMode: 'array' })
    return String(rows[0]?.[0])
  } finally {
    await client.end()
  }
}
