import { type Command, command, end, pause } from '../processes.ts'

/** A server, ready. */
export interface Launched extends AsyncDisposable {
  readonly pid: number
  readonly startMs: number
}

const startMsMax = 120_000

/** Starts a server and waits until it answers at a path with less than 500. */
export async function launched(
  wanted: Command,
  port: number,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Launched> {
  const began = performance.now()
  const { child, printed } = command(wanted)
  const url = `http://127.0.0.1:${port}${path}`
  for (;;) {
    const startMs = performance.now() - began
    if (child.exitCode !== null || child.signalCode !== null || startMs > startMsMax) {
      await end(child)
      throw new Error(`${wanted.args.join(' ')} did not start:\n${printed()}`)
    }
    const status = await fetch(url, { headers, signal: AbortSignal.timeout(5000) }).then(
      async (answer) => {
        await answer.text()
        return answer.status
      },
      () => 599,
    )
    if (status < 500) {
      const { pid = 0 } = child
      return { pid, startMs, [Symbol.asyncDispose]: () => end(child) }
    }
    await pause(5)
  }
}
