import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../../support/free-ports.ts'
import { binaries } from '../../support/postgres/binaries.ts'

/** PgBouncer, running in transaction mode. */
export interface PgBouncer extends AsyncDisposable {
  readonly port: number
}

const home = join(tmpdir(), 'nuncio-pgbouncer')

/** Fetches PgBouncer. Returns why it cannot be had, or null. */
export async function fetchPgBouncer(): Promise<string | null> {
  try {
    await promisify(execFile)('sh', [join(import.meta.dirname, 'fetch.sh'), home])
    return null
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : ''
    return said === '' ? String(error) : said
  }
}

/** Starts PgBouncer before the server that a URL names, for the role of that URL. */
export async function startPgBouncer(server: string): Promise<PgBouncer> {
  const { hostname, port: serverPort, username, password } = new URL(server)
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-pgbouncer-run-'))
  const { user } = binaries()
  writeFileSync(join(folder, 'users.txt'), `"${username}" "${password}"\n`)
  writeFileSync(
    join(folder, 'pgbouncer.ini'),
    `[databases]
* = host=${hostname} port=${serverPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${join(folder, 'users.txt')}
pool_mode = transaction
default_pool_size = 5
max_client_conn = 1000
`,
  )
  if (user !== null) {
    for (const name of ['', 'users.txt', 'pgbouncer.ini']) {
      chownSync(join(folder, name), user.uid, user.gid)
    }
  }
  const program = join(home, 'root/usr/sbin/pgbouncer')
  const child = spawn(program, [join(folder, 'pgbouncer.ini')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { LD_LIBRARY_PATH: libraries() },
    ...user,
  })
  await ready(child.stderr)
  return {
    port,
    async [Symbol.asyncDispose]() {
      const exit = once(child, 'exit')
      child.kill('SIGKILL')
      await exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ready(stderr: NodeJS.ReadableStream): Promise<void> {
  let said = ''
  return new Promise((resolve, reject) => {
    stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.includes('process up')) resolve()
    })
    stderr.once('close', () => reject(new Error(said)))
  })
}

function libraries(): string {
  return ['usr/lib/x86_64-linux-gnu', 'lib/x86_64-linux-gnu']
    .map((folder) => join(home, 'root', folder))
    .join(':')
}
