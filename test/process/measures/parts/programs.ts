import { spawn, type ChildProcess } from 'node:child_process'
import { builtProgram } from '../../../support/program.ts'

/** The administrator's key of the service that is measured. */
export const adminKey = 'nuncio_for_what_is_measured_on_the_process'

/** The headers of each request. */
export const headers = {
  authorization: `Bearer ${adminKey}`,
  'content-type': 'application/json',
}

/** The memory of the service, in octets; the heap after a collection, with what it holds outside. */
export interface Memory {
  readonly rss: number
  readonly heap: number
}

/** The service as a user runs it, with an ear for questions after its memory. */
export async function startService(
  folder: string,
  environment: Readonly<Record<string, string>>,
): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const told = new URL('./memory-told.ts', import.meta.url).href
  const settings = {
    NUNCIO_ADMIN_KEY: adminKey,
    NUNCIO_PORT: '0',
    NUNCIO_STORE: `sqlite:${folder}/nuncio.db`,
    NUNCIO_LOG: 'warn',
    NUNCIO_SIMULATOR_DELAY_MS: '0',
  }
  const child = spawn(process.execPath, [`--import=${told}`, builtProgram, 'serve'], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', ...settings, ...environment },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  let out = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)))
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      const [found] = /http:\/\/127\.0\.0\.1:\d+/.exec(out) ?? []
      if (found !== undefined && out.includes('/docs')) resolve(found)
    })
  })
  return { url, process: child }
}

/** Asks a program and waits for its answer. */
export function ask<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve) => {
    child.once('message', (answer) => resolve(answer as T))
    child.send('?')
  })
}

/** Ends a program in order and waits until it has ended. */
export async function end(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Real time passes. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Prints a line. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
