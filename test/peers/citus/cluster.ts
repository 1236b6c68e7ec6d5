import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePort } from '../../support/free-ports.ts'
import { binaries } from '../../support/postgres/binaries.ts'

/** A server of a cluster. */
export interface ClusterServer {
  readonly port: number
  /** Its process, whose children serve the connections. */
  pid(): number
  /** Everything that it has logged. */
  log(): string
  start(): Promise<void>
  /** Asks it to end at once. */
  quit(): void
  /** Ends it as a crash would. */
  kill(): Promise<void>
}

/** A coordinator with workers on this machine. */
export interface Cluster extends AsyncDisposable {
  readonly url: string
  readonly coordinator: ClusterServer
  readonly workers: readonly ClusterServer[]
  /** Adds a worker without shards. */
  addWorker(): Promise<ClusterServer>
  /** The URL of a database without Citus on the server of the coordinator. */
  plainDatabase(): Promise<string>
}

const run = promisify(execFile)

/**
 * Returns where the programs of a PostgreSQL with Citus are, in the folder that CITUS_DIR names or where Debian has
 * them; a text gives the reason if there are none.
 */
export function citusBinaries(): { readonly bin: string } | string {
  const folders = [process.env['CITUS_DIR'] ?? '', ...[18, 17, 16, 15].map(debian)]
  const found = folders.find(
    (folder) => folder !== '' && existsSync(join(folder, 'lib', 'citus.so')),
  )
  return found === undefined
    ? 'there is no PostgreSQL with Citus; CITUS_DIR names its folder, with bin and lib/citus.so'
    : { bin: join(found, 'bin') }
}

function debian(version: number): string {
  return `/usr/lib/postgresql/${version}`
}

const role = 'nuncio'

/**
 * Starts a cluster, whose data are gone when it ends. With `isDurable` it waits for the disk; with `logs: 'all'` it
 * logs every statement, and with `counts` it counts them.
 */
export async function startCluster(
  bin: string,
  { workers = 2, isDurable = false, logs = 'none', counts = false } = {},
): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-citus-'))
  chmodSync(folder, 0o777)
  const running: ClusterServer[] = []
  const start = async (name: string): Promise<ClusterServer> => {
    const server = await makeServer(bin, folder, name, { isDurable, logs, counts })
    running.push(server)
    return server
  }
  const stop = async (): Promise<void> => {
    process.off('exit', quit)
    await Promise.all(running.map((server) => server.kill()))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  // The servers are no children of this process: whoever interrupts it must end them too.
  const quit = (): void => {
    for (const server of running) server.quit()
  }
  process.once('exit', quit)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  await using failing = new AsyncDisposableStack()
  failing.defer(stop)
  const coordinator = await start('coordinator')
  await ask(urlOf(coordinator.port), [
    `select citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`,
  ])
  const add = async (): Promise<ClusterServer> => {
    const server = await start(`worker${running.length}`)
    await ask(urlOf(coordinator.port), [`select citus_add_node('127.0.0.1', ${server.port})`])
    return server
  }
  const added: ClusterServer[] = []
  for (let at = 0; at < workers; at += 1) added.push(await add())
  let plain = 0
  failing.move()
  return {
    url: urlOf(coordinator.port),
    coordinator,
    workers: added,
    addWorker: add,
    plainDatabase: async () => {
      plain += 1
      await ask(urlOf(coordinator.port), [
        'set citus.enable_create_database_propagation = off',
        `create database plain${plain} encoding 'UTF8'`,
      ])
      const url = urlOf(coordinator.port, `plain${plain}`)
      if (counts) await ask(url, [counter])
      return url
    },
    [Symbol.asyncDispose]: stop,
  }
}

interface ServerSettings {
  readonly isDurable: boolean
  readonly logs: string
  readonly counts: boolean
}

const counter = 'create extension pg_stat_statements'

async function makeServer(
  bin: string,
  folder: string,
  name: string,
  { isDurable, logs, counts }: ServerSettings,
): Promise<ClusterServer> {
  const { user } = binaries()
  const [data, port] = [join(folder, name), await freePort()]
  const call = (program: string, args: readonly string[]) =>
    run(join(bin, program), [...args], {
      cwd: folder,
      env: { ...process.env, HOME: folder },
      ...user,
    })
  await call('initdb', ['-D', data, '-U', role, '--auth=trust', '--encoding=UTF8', '--no-sync'])
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    shared_preload_libraries: counts ? 'citus,pg_stat_statements' : 'citus',
    wal_level: 'logical',
    max_connections: 200,
    max_prepared_transactions: 400,
    shared_buffers: '256MB',
    max_wal_size: '4GB',
    fsync: isDurable ? 'on' : 'off',
    autovacuum: isDurable ? 'on' : 'off',
    log_statement: logs,
    'citus.enable_statistics_collection': 'off',
  }
  const options = Object.entries(settings).map(([key, value]) => `-c ${key}=${value}`)
  const start = async (): Promise<void> => {
    const log = join(folder, `${name}.log`)
    await call('pg_ctl', ['-D', data, '-w', '-l', log, '-o', options.join(' '), 'start'])
  }
  await start()
  await ask(urlOf(port, 'postgres'), ['create database nuncio'])
  await ask(urlOf(port), ['create extension citus', ...(counts ? [counter] : [])])
  const pid = (): number =>
    Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
  return {
    port,
    pid,
    log: () => readFileSync(join(folder, `${name}.log`), 'utf8'),
    start,
    quit: () => void process.kill(pid(), 'SIGQUIT'),
    kill: async () => {
      const current = pid()
      await call('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']).catch(() => {
        process.kill(current, 'SIGKILL')
      })
    },
  }
}

function urlOf(port: number, database = 'nuncio'): string {
  return `postgres://${role}@127.0.0.1:${port}/${database}`
}

/** Runs statements on a server; returns the rows of the last one. */
export async function ask(
  url: string,
  statements: readonly string[],
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: readonly Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    return rows
  } finally {
    await client.end()
  }
}
