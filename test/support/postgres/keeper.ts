import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../free-ports.ts'
import { binaries, type Binaries } from './binaries.ts'

/**
 * Runs a PostgreSQL of its own for as long as its standard input is open, which ends with whoever
 * started it, however that ended. With the argument `durable` it waits for the disk. Prints
 * `{"port": …, "pid": …}` whenever it is ready, or `{"fault": …}`.
 */
try {
  const found = binaries()
  const folder = mkdtempSync(join(tmpdir(), 'nuncio-test-cluster-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  copyCluster(found, join(folder, 'data'))
  if (found.user !== null) chownSync(folder, found.user.uid, found.user.gid)
  await run(found, folder, await freePort())
} catch (error) {
  const { message, cause } = error instanceof Error ? error : new Error(String(error))
  console.log(JSON.stringify({ fault: cause === undefined ? message : `${message} (${cause})` }))
}

/** Each line that comes in, `restart`, stops the server as a crash would, and starts it anew. */
async function run(binaries: Binaries, folder: string, port: number): Promise<void> {
  let server = await begin(binaries, folder, port)
  let isOver = false
  const end = (): void => {
    isOver = true
    server.kill('SIGQUIT')
  }
  process.stdin.on('end', end)
  // Interrupts reach this process with the one that started it: the files must go all the same.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  createInterface(process.stdin).on('line', async () => {
    const ended = once(server, 'exit')
    server.kill('SIGQUIT')
    await ended
    if (!isOver) server = await begin(binaries, folder, port)
  })
}

/** Starts the server; kept when it answers, and has said so. */
function begin({ postgres, user }: Binaries, folder: string, port: number): Promise<ChildProcess> {
  const server = spawn(postgres, ['-D', join(folder, 'data'), ...settings(port, folder)], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    ...user,
  })
  let printed = ''
  return new Promise((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      const before = printed
      printed = (printed + text).slice(-4000)
      const isReady = (said: string): boolean => said.includes('ready to accept connections')
      if (isReady(before) || !isReady(printed)) return
      console.log(JSON.stringify({ port, pid: server.pid }))
      resolve(server)
    })
    server.once('exit', () => reject(new Error(printed)))
  })
}

/** Data of tests is gone when they end: nothing waits for the disk, and nothing works behind the scenes. */
function settings(port: number, folder: string): readonly string[] {
  const isDurable = process.argv[2] === 'durable'
  const wanted = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: process.platform === 'win32' ? '' : folder,
    fsync: isDurable ? 'on' : 'off',
    full_page_writes: isDurable ? 'on' : 'off',
    shared_buffers: isDurable ? '256MB' : '64MB',
    max_connections: 400,
    autovacuum: isDurable ? 'on' : 'off',
    wal_level: 'minimal',
    max_wal_senders: 0,
    max_wal_size: isDurable ? '1GB' : '256MB',
    log_checkpoints: 'off',
    // Most tests copy a database: this takes a quarter of the time.
    file_copy_method: 'clone',
  }
  return Object.entries(wanted).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function copyCluster({ template, user }: Binaries, target: string): void {
  cpSync(template, target, { recursive: true, mode: 0 })
  if (user === null) return
  chownSync(target, user.uid, user.gid)
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    chownSync(join(target, name), user.uid, user.gid)
  }
}
