import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

/** A server that a process of its own holds. */
export interface Kept {
  readonly port: number
  readonly pid: number
  /** Ends the server as a crash would and starts it again. */
  restart(): Promise<void>
  /** Ends the server and removes its files. */
  stop(): Promise<void>
}

/**
 * Starts the process that holds the server. It ends when its standard input does: with this process.
 * Where it is to be durable it waits for the disk, as a server that is measured must.
 */
export async function startKeeper(isDurable = false): Promise<Kept | { readonly fault: string }> {
  const script = fileURLToPath(new URL('keeper.ts', import.meta.url))
  const args = isDurable ? [script, 'durable'] : [script]
  const keeper = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  keeper.unref()
  const waiting: ((line: string) => void)[] = []
  const said = (): Promise<string> => new Promise((resolve) => waiting.push(resolve))
  const lines = createInterface(keeper.stdout)
  lines.on('line', (line) => waiting.shift()?.(line))
  const ended = '{"fault":"the process that holds it ended"}'
  lines.on('close', () => waiting.splice(0).forEach((tell) => tell(ended)))
  const first: { port: number; pid: number } | { fault: string } = JSON.parse(await said())
  for (const stream of [keeper.stdin, keeper.stdout]) {
    if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
  }
  if ('fault' in first) return first
  return {
    ...first,
    restart: async () => {
      keeper.stdin.write('restart\n')
      await said()
    },
    stop: async () => {
      const ended = once(keeper, 'exit')
      keeper.ref()
      keeper.stdin.end()
      await ended
    },
  }
}
