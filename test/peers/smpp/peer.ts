import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** An SMPP server that others wrote. */
export interface Peer extends AsyncDisposable {
  readonly port: number
}

/** Starts a program that listens at a port; throws if it does not within 10 s. */
export async function startPeer(
  port: number,
  program: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<Peer> {
  const child = spawn(program, args, { stdio: 'ignore', ...options })
  const peer = { port, [Symbol.asyncDispose]: () => ended(child) }
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (await listens(port)) return peer
    await pause(100)
  }
  await ended(child)
  throw new Error(`${program} does not listen at ${port}`)
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await exit
}
