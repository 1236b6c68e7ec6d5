import assert from 'node:assert/strict'
import type { Screen, StopRequest, ProcessContext } from '../../../src/cli/process-context.ts'
import type { Clock } from '../../../src/core/ports/clock.ts'
import { seededRandom } from '../../support/seeded-random.ts'

/** A screen that keeps what is written to it. */
export interface KeptScreen extends Screen {
  readonly text: () => string
  /** Waits until what is written matches. */
  readonly until: (pattern: RegExp) => Promise<void>
}

/** Surroundings without a process, and the other side of each. */
export interface FakeSurroundings extends ProcessContext {
  readonly out: KeptScreen
  readonly err: KeptScreen
  readonly clock: HastyClock
  /** Asks the command to stop. */
  readonly requestStop: (request: StopRequest) => void
  /** The requests that ended the process at once. */
  readonly ended: readonly StopRequest[]
}

/** Makes surroundings in which no app can be started, no variable is set and no terminal is there. */
export function fakeSurroundings(given: Partial<ProcessContext> = {}): FakeSurroundings {
  const listeners: ((request: StopRequest) => void)[] = []
  const ended: StopRequest[] = []
  return {
    environment: {},
    cwd: import.meta.dirname,
    random: seededRandom(1),
    fetch,
    ask: async () => null,
    readInput: async () => '',
    onStopRequest: (listener) => listeners.push(listener),
    end: (request) => ended.push(request),
    moveStore: () => assert.fail('no store was expected to be moved'),
    backUp: () => assert.fail('no store was expected to be copied'),
    distributeStore: () => assert.fail('no store was expected to be distributed'),
    startApp: () => assert.fail('no app was expected to start'),
    ...given,
    out: keptScreen(given.out?.terminal ?? false, given.out?.columns),
    err: keptScreen(given.err?.terminal ?? false),
    clock: hastyClock(),
    requestStop: (request) => {
      for (const listener of listeners) listener(request)
    },
    ended,
  }
}

/** Makes a screen that keeps what is written to it. */
export function keptScreen(terminal = false, columns?: number): KeptScreen {
  let text = ''
  let waiting: { pattern: RegExp; resolve: () => void }[] = []
  return {
    terminal,
    columns,
    write: (more) => {
      text += more
      for (const { resolve } of waiting.filter(({ pattern }) => pattern.test(text))) resolve()
      waiting = waiting.filter(({ pattern }) => !pattern.test(text))
    },
    text: () => text,
    until: (pattern) =>
      new Promise((resolve) => {
        if (pattern.test(text)) resolve()
        else waiting.push({ pattern, resolve })
      }),
  }
}

/** A clock for commands that talk to real sockets. */
export interface HastyClock extends Clock {
  /** The short waits that there were, in milliseconds. */
  readonly waits: readonly number[]
  /** Moves time on, without waking anybody. */
  readonly pass: (ms: number) => void
}

/** From this on a wait is a deadline, which a test does not reach. */
const deadlineMsMin = 15_000

/** Makes a clock on which a short wait is over once sockets had their turn, and no deadline comes. */
function hastyClock(): HastyClock {
  const waits: number[] = []
  let elapsedMs = 0
  return {
    now: () => Date.UTC(2026, 0, 1) + elapsedMs,
    monotonic: () => elapsedMs,
    after: (delayMs, wake) => {
      if (delayMs >= deadlineMsMin) return () => {}
      waits.push(delayMs)
      const turn = setImmediate(() => {
        elapsedMs += delayMs
        wake()
      })
      return () => clearImmediate(turn)
    },
    waits,
    pass: (ms) => {
      elapsedMs += ms
    },
  }
}
