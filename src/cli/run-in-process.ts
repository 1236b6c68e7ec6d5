import { readEnvironment } from '../config/environment.ts'
import { systemClock } from '../core/ports/clock.ts'
import { systemRandom } from '../core/ports/random.ts'
import { ask } from './ask.ts'
import { run } from './run.ts'
import type { Screen, StopRequest, ProcessContext } from './process-context.ts'

/** Runs the command line of this process and sets its exit code. The process then ends by itself. */
export async function runInProcess(
  work: Pick<ProcessContext, 'startApp' | 'moveStore' | 'backUp' | 'distributeStore'>,
): Promise<void> {
  // The timers of the clock do not keep the process alive, but a command may wait only for a timer.
  const alive = new MessageChannel()
  alive.port1.ref()
  try {
    process.exitCode = await run(process.argv.slice(2), thisProcess(work))
  } finally {
    alive.port1.close()
  }
}

function thisProcess(
  work: Pick<ProcessContext, 'startApp' | 'moveStore' | 'backUp' | 'distributeStore'>,
): ProcessContext {
  return {
    environment: readEnvironment(),
    cwd: process.cwd(),
    out: screen(process.stdout),
    err: screen(process.stderr),
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

/** A reader such as `head` may end first: that must not end the service. */
function screen(stream: NodeJS.WriteStream): Screen {
  stream.on('error', () => {})
  return {
    write: (text) => stream.write(text),
    terminal: stream.isTTY === true,
    get columns() {
      return stream.columns > 0 ? stream.columns : undefined
    },
  }
}

function onStopRequest(listener: (request: StopRequest) => void): void {
  const requests: readonly StopRequest[] = ['SIGINT', 'SIGTERM']
  for (const request of requests) process.on(request, listener)
}
