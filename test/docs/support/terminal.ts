import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { meaningfulLines, printed } from './shown.ts'
import type { Reader } from './reader.ts'

/** A shell that runs one command after the other and keeps its variables. */
export interface Shell extends AsyncDisposable {
  /** Runs commands to their end. The exit code is that of the last one that failed, or 0. */
  run(script: string): Promise<{ readonly output: string; readonly exitCode: number }>
}

/** A shell in which one program runs until the page ends. */
export interface Terminal extends AsyncDisposable {
  /** Kept once the next lines that it prints are as shown. */
  prints(shown: string): Promise<void>
  /** Presses Ctrl-C, and waits until its programs have ended. */
  interrupt(): Promise<void>
}

/** The longest that a page waits: for the receipt of the simulator that comes after 30 s. */
const waitMsMax = 45_000

/** How long a program has to end when it is asked to. */
const endMsMax = 8_000

/** Stands in the output behind that of a script, around its exit code. */
const mark = '\u001e'

/** Opens a shell in the reader's folder. */
export function openShell(reader: Reader): Shell {
  const child = start(reader, ['--noprofile', '--norc'])
  const output = outputOf(child)
  let scripts = 0
  return {
    run: async (script) => {
      scripts += 1
      const file = `.script-${scripts}`
      await reader.write(file, reader.asRun(script))
      child.stdin?.write(
        `failed=0; trap 'failed=$?' ERR; . ./${file} </dev/null 2>&1; trap - ERR; ` +
          `printf '${mark}%d${mark}' $failed\n`,
      )
      const end = new RegExp(`${mark}(\\d+)${mark}$`)
      await output.until(
        (text) => end.test(text),
        () => `it still runs:\n${script}`,
      )
      const text = output.take()
      return {
        output: reader.asShown(text.replace(end, '')),
        exitCode: Number(end.exec(text)?.[1]),
      }
    },
    [Symbol.asyncDispose]: () => end(child),
  }
}

/** Opens a terminal in which these commands run. */
export async function openTerminal(
  reader: Reader,
  name: string,
  script: string,
): Promise<Terminal> {
  const file = `.terminal-${name}`
  await reader.write(file, reader.asRun(script))
  const child = start(reader, ['--noprofile', '--norc', file])
  child.stdin?.end()
  const output = outputOf(child)
  let seen = 0
  const unseen = (text: string): string => wholeLines(reader.asShown(text)).slice(seen).join('')
  return {
    prints: async (shown) => {
      const expression = printed(shown)
      const matches = (text: string): boolean => {
        expression.lastIndex = 0
        return expression.test(unseen(text))
      }
      const complaint = (text: string): string =>
        `the terminal "${name}" should print:\n${shown}\nit has printed:\n${unseen(text)}`
      const text = await output.until(matches, complaint)
      seen += unseen(text).slice(0, expression.lastIndex).split('\n').length - 1
    },
    interrupt: () => end(child, 'SIGINT'),
    [Symbol.asyncDispose]: () => end(child),
  }
}

function wholeLines(text: string): readonly string[] {
  return meaningfulLines(text.slice(0, text.lastIndexOf('\n') + 1)).map((line) => `${line}\n`)
}

/** Bash in a process group of its own, so that what it starts ends with it. */
function start({ folder, environment }: Reader, args: readonly string[]): ChildProcess {
  return spawn('bash', args, { cwd: folder, env: environment, detached: true, stdio: 'pipe' })
}

/** What a process has printed, on both streams. */
function outputOf(child: ChildProcess) {
  let text = ''
  let look = (): void => {}
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      look()
    })
  }
  child.once('exit', () => setImmediate(() => look()))
  return {
    take: (): string => {
      const taken = text
      text = ''
      return taken
    },
    until: (holds: (text: string) => boolean, complaint: (text: string) => string) =>
      new Promise<string>((resolve, reject) => {
        const finish = (): void => {
          clearTimeout(timer)
          look = () => {}
          if (holds(text)) resolve(text)
          else reject(new Error(complaint(text)))
        }
        const timer = setTimeout(finish, waitMsMax)
        look = () => {
          if (holds(text) || child.exitCode !== null || child.signalCode !== null) finish()
        }
        look()
      }),
  }
}

async function end(child: ChildProcess, request: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  signal(child, request)
  child.stdin?.end()
  const timer = setTimeout(() => signal(child, 'SIGKILL'), endMsMax)
  await ended
  clearTimeout(timer)
  signal(child, 'SIGKILL')
}

/** To the whole group; it may be gone already. */
function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, name)
  } catch {
    return
  }
}
