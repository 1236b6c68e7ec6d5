import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { project } from './tools.ts'

/** The key of every service that these tests start. */
export const adminKey = `nuncio_${'administrator'.repeat(3)}`

/** What a container engine or systemd gives to a process. */
export interface Sandbox {
  /** The root of its files, which it cannot write. */
  readonly root: string
  /** The number of its user and group. */
  readonly user: number
  /** Folders that it sees elsewhere: source and target. */
  readonly binds: Readonly<Record<string, string>>
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A service in a sandbox. */
export interface SandboxedService {
  readonly url: string
  /** Ends it by SIGTERM; returns its exit code. */
  stop(): Promise<number | null>
}

const script = join(import.meta.dirname, 'sandbox.sh')

function argumentsOf({ root, user, binds, cwd }: Sandbox, command: readonly string[]): string[] {
  const mounted = Object.entries(binds).map((pair) => pair.join(':'))
  const enter = ['sh', '-c', 'cd "$0" && exec "$@"', cwd, ...command]
  return ['--mount', 'sh', script, root, String(user), mounted.join(' '), ...enter]
}

const path = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

/** Runs a command to its end. */
export function runSandboxed(
  sandbox: Sandbox,
  command: readonly string[],
): SpawnSyncReturns<string> {
  const env = { PATH: path, ...sandbox.env }
  return spawnSync('unshare', argumentsOf(sandbox, command), { env, encoding: 'utf8' })
}

/** Starts a service whose environment has its port, and waits until it is ready. Ends it with the test. */
export async function startSandboxed(
  t: TestContext,
  sandbox: Sandbox,
  command: readonly string[],
): Promise<SandboxedService> {
  const env = { PATH: path, NUNCIO_ADMIN_KEY: adminKey, ...sandbox.env }
  const child = spawn('unshare', argumentsOf(sandbox, command), { env, cwd: project })
  t.after(() => child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${sandbox.env['NUNCIO_PORT']}`
  const isReady = async (): Promise<boolean> => {
    const ready = fetch(`${url}/health/ready`)
    return ready.then(
      ({ ok }) => ok,
      () => false,
    )
  }
  for (let tries = 0; !(await isReady()); tries += 1) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`not ready: ${printed}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      const [code] = await ended
      return code
    },
  }
}

/** Sends a message over one service and waits until another has its record as delivered. */
export async function deliver(from: string, to = from): Promise<void> {
  const headers = { authorization: `Bearer ${adminKey}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ to: '+4915112345678', body: 'hello' })
  const created = await fetch(`${from}/v1/messages`, { method: 'POST', headers, body })
  const { id } = (await created.json()) as { readonly id: string }
  for (let tries = 0; tries < 100; tries += 1) {
    const text = await (await fetch(`${to}/v1/messages/${id}`, { headers })).text()
    if (text.includes('"id":"DELIVERED.null"')) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(`${id} was not delivered`)
}
