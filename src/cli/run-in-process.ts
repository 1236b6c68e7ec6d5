import { readEnvironment } from '../config/environment.ts'
import { systemClock } from '../core/ports/clock.ts'
import { systemRandom } from '../core/ports/random.ts'
import { failed } from './command.ts'
import type { ProcessContext, Screen, StopRequest } from './process-context.ts'
import { run } from './run.ts'

/** The work that the other parts of the program do. */
type OutsideWork = Pick<
  ProcessContext,
  'startApp' | 'moveStore' | 'backUp' | 'distributeStore' | 'lookAtStore'
>

/** Runs the command line of this process and sets its exit code. The process then ends by itself. */
export async function runInProcess(work: OutsideWork): Promise<void> {
  // The timers of the clock do not keep the process alive, but a command may wait only for a timer.
  const alive = new MessageChannel()
  alive.port1.ref()
  try {
    const code = await run(process.argv.slice(2), thisProcess(work))
    // A failed write may have set it before.
    process.exitCode = code === 0 ? (process.exitCode ?? 0) : code
  } finally {
    alive.port1.close()
  }
}

function thisProcess(work: OutsideWork): ProcessContext {
  return {
    environment: readEnvironment(),
    cwd: process.cwd(),
    out: screen(process.stdout, reportLoss),
    err: screen(process.stderr, () => {}),
    clock: systemClock,
    random: systemRandom,
    fetch,
    ask,
    readInput: () => text(process.stdin),
    onStopRequest,
    end: (request) => {
      process.removeAllListeners(request)
      process.kill(process.pid, request)
    },
    ...work,
  }
}

async function text(stream: NodeJS.ReadStream): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of stream) pieces.push(Buffer.from(piece))
  return Buffer.concat(pieces).toString()
}

/** A failed write must not end the service. A reader such as `head` may end first: that is no loss. */
function screen(stream: NodeJS.WriteStream, lost: (reason: string) => void): Screen {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') lost(error.code ?? error.message)
  })
  return {
    write: (text) => stream.write(text),
    terminal: stream.isTTY === true,
    get columns() {
      return stream.columns > 0 ? stream.columns : undefined
    },
  }
}

/** A script must not take a part of the output for all of it. */
function reportLoss(reason: string): void {
  if (process.exitCode !== failed) {
    process.stderr.write(
      `Standard output cannot be written (${reason}): the output is incomplete.\n`,
    )
  }
  process.exitCode = failed
}

function onStopRequest(listener: (request: StopRequest) => void): void {
  const requests: readonly StopRequest[] = ['SIGINT', 'SIGTERM']
  for (const request of requests) process.on(request, listener)
}

/**
 * Asks on the terminal of this process. The question goes to standard error. Ctrl-C and Ctrl-D end
 * the process: a terminal that is read line by line sends no signal for them.
 */
const ask: ProcessContext['ask'] = async (question, { hidden }) => {
  const { stdin, stderr } = process
  if (!stdin.isTTY || !stderr.isTTY) return null
  // Loaded on first use (docs/decisions/0016).
  const { createInterface } = await import('node:readline')
  const { Writable } = await import('node:stream')
  // With a terminal, the interface echoes the input to its output.
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true })
  stderr.write(hidden ? question : '')
  try {
    const answer = await new Promise<string | null>((resolve) => {
      lines.once('close', () => resolve(null))
      lines.question(hidden ? '' : question, resolve)
    })
    if (hidden || answer === null) stderr.write('\n')
    return answer ?? endBySignal()
  } finally {
    lines.close()
  }
}

/** Ends like a process without a listener for SIGINT: a shell then knows that its user stopped it. */
function endBySignal(): Promise<never> {
  process.removeAllListeners('SIGINT')
  process.kill(process.pid, 'SIGINT')
  // The signal may arrive a little later: until then nothing goes on.
  return new Promise(() => {})
}
