import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Starts the service of a tree on an empty store and ends it; returns the time until ready and its idle memory. */
export async function measuredStart(tree: string, folder: string, untilMs: number) {
  const port = await freePort()
  const data = mkdtempSync(join(folder, 'data-'))
  const env = {
    ...process.env,
    NUNCIO_PORT: String(port),
    NUNCIO_STORE: `sqlite:${join(data, 'nuncio.db')}`,
  }
  const began = performance.now()
  const child = spawn('npm', ['start'], { cwd: tree, env, stdio: 'ignore', detached: true })
  const group = child.pid
  if (group === undefined) throw new Error('npm start did not start')
  try {
    while (!(await isReady(port))) {
      if (performance.now() - began > 60_000) throw new Error(`${tree} was not ready within 60 s`)
      await wait(20)
    }
    const readySeconds = seconds(began)
    await wait(untilMs)
    return { readySeconds, memory: residentOf(group) }
  } finally {
    // npm does not hand signals on.
    process.kill(-group, 'SIGTERM')
  }
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${port}/health/ready`).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Returns the resident memory of the service among the processes of a group, without npm and its shell. */
function residentOf(group: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const kilobytes = pids.map((pid) => {
    const read = (file: string): string => {
      try {
        return readFileSync(`/proc/${pid}/${file}`, 'utf8')
      } catch {
        return ''
      }
    }
    const isOfGroup =
      Number(
        read('stat')
          .replace(/^.*\) /, '')
          .split(' ')[2],
      ) === group
    if (!isOfGroup || !read('cmdline').endsWith('\0serve\0')) return 0
    return Number(/^VmRSS:\s+(\d+)/m.exec(read('status'))?.[1] ?? 0)
  })
  return Math.round(kilobytes.reduce((sum, each) => sum + each, 0) / 1024)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

/** Returns the seconds since a time, in tenths. */
export function seconds(began: number): number {
  return Math.round((performance.now() - began) / 100) / 10
}
