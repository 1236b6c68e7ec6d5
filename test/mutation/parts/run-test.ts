import { spawn } from 'node:child_process'
import { setTimeout as after } from 'node:timers/promises'

/** How the run of a test file ended. */
export type Verdict = 'PASSED' | 'FAILED' | 'TIMED OUT'

/** What a run of a test file is given. */
interface RunOptions {
  readonly folder: string
  readonly timeoutMs: number
  /** Where V8 writes which code ran, if that is asked for. */
  readonly coverage?: string
}

/** No server listens there: the tests over PostgreSQL take long, and say so when they are skipped. */
const noServer = 'postgres://nobody@127.0.0.1:1/none'

const flags = ['--import=./test/support/untracked-promises.ts', '--test-reporter=tap']

/** Runs a test file, until its first failure unless its coverage is asked for. */
export async function runTest(file: string, options: RunOptions): Promise<Verdict> {
  const { folder, timeoutMs, coverage } = options
  const environment = { ...process.env, NUNCIO_TEST_POSTGRES: noServer }
  const child = spawn(process.execPath, [...flags, file], {
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
    env: coverage === undefined ? environment : { ...environment, NODE_V8_COVERAGE: coverage },
  })
  let verdict: Verdict | null = null
  const end = (as: Verdict): void => {
    verdict ??= as
    if (child.pid !== undefined) killGroup(child.pid)
  }
  child.stdout.setEncoding('utf8')
  child.stdout.on('data', (text: string) => {
    if (coverage === undefined && /^ *not ok /m.test(text)) end('FAILED')
  })
  const timer = new AbortController()
  const late = after(timeoutMs, undefined, { signal: timer.signal }).then(
    () => end('TIMED OUT'),
    () => {},
  )
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  timer.abort()
  await late
  return verdict ?? (code === 0 ? 'PASSED' : 'FAILED')
}

/** Ends a test with all that it started. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
