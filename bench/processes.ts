import { fork, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import type { Load, LoadResult } from './put-load.ts'

/** What is measured gets a core of its own and the client another, where the machine can say so. */
export const canPin = spawnSync('taskset', ['-c', '0,1', 'true']).status === 0

/** The core of what is measured. */
export const servedOn = 0

/** The core of the client. */
export const askedFrom = 1

/** A program of the bench, running; it ends with the connection to this process. */
export interface Running extends AsyncDisposable {
  readonly process: ChildProcess
  readonly port: number
  /** What a program says that is done as soon as it is started. */
  readonly perSecond: number
}

/** Starts a program of `bench/programs` and waits until it says where it listens. */
export async function start(program: string, argument = '', core = servedOn): Promise<Running> {
  const file = new URL(`programs/${program}`, import.meta.url).pathname
  const child = fork(file, [argument], {
    ...(canPin ? { execPath: 'taskset', execArgv: ['-c', String(core), process.execPath] } : {}),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port = 0, perSecond = 0 } = await message<Partial<Running>>(child)
  return {
    process: child,
    port,
    perSecond,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
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

/** Tells a program something, or asks it, and waits for its answer. */
export function ask<T>(child: ChildProcess, question: unknown = '?'): Promise<T> {
  const answer = message<T>(child)
  child.send(question as string)
  return answer
}

/** Puts load on a port from a process on the other core. */
export async function loadFrom(work: Load): Promise<LoadResult> {
  await using client = await start('load.ts', '', askedFrom)
  return await ask<LoadResult>(client.process, work)
}

/** A server that is not ours to send messages to: a program with its arguments, on the served core. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** The served core where none is given. */
  readonly core?: number
}

/** Starts a command pinned. What it prints is kept, to be shown where it ends too early. */
export function command({ program, args, env, cwd, core = servedOn }: Command): {
  readonly child: ChildProcess
  readonly printed: () => string
} {
  const [file = '', ...rest] = canPin
    ? ['taskset', '-c', String(core), program, ...args]
    : [program, ...args]
  const child = spawn(file, rest, {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const keep = (chunk: Buffer): void => {
    text = (text + chunk.toString()).slice(-4000)
  }
  child.stdout?.on('data', keep)
  child.stderr?.on('data', keep)
  return { child, printed: () => text }
}

/** Ends a command and waits until it has ended. */
export async function end(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await ended
  clearTimeout(late)
}

/** Microseconds of CPU that a process and its threads have taken since it began, or null where it cannot be read. */
export function cpuMicros(pid: number): number | null {
  try {
    let nanos = 0
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      nanos += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0])
    }
    return nanos / 1000
  } catch {
    return null
  }
}

/** Megabytes that a process holds now, and the most it ever held; null where they cannot be read. */
export function memoryOf(pid: number): { readonly now: number; readonly most: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const megabytes = (name: string): number =>
      (Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024) / 1e6
    return { now: megabytes('VmRSS'), most: megabytes('VmHWM') }
  } catch {
    const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })
    const now = (Number(stdout) * 1024) / 1e6
    return now > 0 ? { now, most: now } : null
  }
}

/** Waits. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
