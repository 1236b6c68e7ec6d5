import { spawn } from 'node:child_process'

/** A service that runs from installed packages. */
export interface InstalledService extends AsyncDisposable {
  readonly url: string
}

/** Starts the service of a folder's packages on a free port, in memory, and waits for its address. */
export async function startInstalled(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<InstalledService> {
  const settings = { NUNCIO_PORT: '0', NUNCIO_STORE: 'memory:' }
  // Leads a process group of its own: npx does not hand a signal on to the program it started.
  const child = spawn('npx', ['--offline', 'nuncio', 'serve'], {
    cwd: folder,
    env: { ...env, ...settings },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { pid } = child
  let printed = ''
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const end = async (): Promise<void> => {
    if (pid !== undefined && child.exitCode === null) process.kill(-pid, 'SIGTERM')
    await closed
  }
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer): void => {
      printed += chunk.toString()
      const address = /(http:\/\/127\.0\.0\.1:\d+)\/docs/.exec(printed)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.once('error', reject)
    void closed.then(() => reject(new Error(`the service did not start:\n${printed}`)))
  })
  return { url, [Symbol.asyncDispose]: end }
}
