import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { programIn, project as here } from './program.ts'

/** The program, running as a user runs it. */
export interface Service {
  readonly process: ChildProcess
  readonly url: string
  readonly key: string
  /** Ends the process by a signal and waits; gives its exit code, null where the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>
  /** All that it has written to standard error. */
  log(): string
}

/** A folder that goes with the test. */
export async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'nuncio-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** What a program printed and how it ended. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the program to its end. */
export async function runProgram(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
  through: readonly string[] = [],
): Promise<Ended> {
  const child = start(args, environment, cwd, through)
  let [out, err] = ['', '']
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, out, err }
}

/**
 * Starts the service over the store of a folder, on a free port, and waits until it is ready. It is
 * started by the program `through`, where one is given, such as one that makes it another user's.
 */
export async function startService(
  t: TestContext,
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  through: readonly string[] = [],
  project: string = here,
): Promise<Service> {
  const settings = { NUNCIO_PORT: '0', NUNCIO_STORE: `sqlite:${folder}/nuncio.db`, ...environment }
  const child = start(['serve'], settings, folder, through, project)
  t.after(() => child.kill('SIGKILL'))
  let [out, err] = ['', '']
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (out.includes('/docs')) resolve()
    })
    void ended.then(() => reject(new Error(`the service did not start:\n${out}${err}`)))
  })
  const url = /http:\/\/127\.0\.0\.1:\d+/.exec(out)?.[0] ?? ''
  return {
    process: child,
    url,
    key: /nuncio_key_\S+/.exec(out)?.[0] ?? environment['NUNCIO_ADMIN_KEY'] ?? '',
    log: () => err,
    end: (signal) => {
      child.kill(signal)
      return ended
    },
  }
}

function start(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
  through: readonly string[],
  project: string = here,
): ChildProcess {
  const program = [process.execPath, ...programIn(project)]
  const [command = '', ...rest] = [...through, ...program, ...args]
  return spawn(command, rest, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}
