import { execFile, fork, spawnSync, type ChildProcess } from 'node:child_process'
import { promisify } from 'node:util'
import type { Load, LoadResult } from './load.ts'

const run = promisify(execFile)

/** The service gets a core of its own and the client another, where the machine can say so. */
const canPin = spawnSync('taskset', ['-c', '0', 'true']).status === 0

/** A program of the bench, running; it ends with the connection to this process. */
export interface Running {
  readonly process: ChildProcess
  readonly port: number
  readonly key: string
  /** What a program says that is done as soon as it is started. */
  readonly perSecond: number
}

/** Starts a program of this folder, on the first core unless told, and waits until it says where it listens. */
export async function start(program: string, argument: string, core = 0): Promise<Running> {
  const file = new URL(program, import.meta.url).pathname
  const child = fork(file, [argument], {
    ...(canPin ? { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] } : {}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const said = await message<Partial<Omit<Running, 'process'>>>(child)
  const { port = 0, key = '', perSecond = 0 } = said
  return { process: child, port, key, perSecond }
}

/** The next message of a program. */
export function message<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const failed = (code: number | null): void =>
      reject(new Error(`a program of the bench ended with ${code}`))
    child.once('exit', failed)
    child.once('message', (value) => {
      child.off('exit', failed)
      resolve(value as T)
    })
  })
}

/** Asks a program a question and waits for its answer. */
export function ask<T>(child: ChildProcess): Promise<T> {
  const answer = message<T>(child)
  child.send('?')
  return answer
}

/** Ends a program and waits until it has ended. */
export async function stop({ process: child }: Running): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.disconnect()
  await ended
}

/** Puts load on a port from a process on the second core. */
export async function loadFrom(work: Load): Promise<LoadResult> {
  const file = new URL('load-run.ts', import.meta.url).pathname
  const program = canPin
    ? ['taskset', '-c', '1', process.execPath, file, JSON.stringify(work)]
    : [process.execPath, file, JSON.stringify(work)]
  const [command = '', ...rest] = program
  const { stdout } = await run(command, rest)
  return JSON.parse(stdout)
}
