import { type Clock, wait } from '../../core/ports/clock.ts'

/** When something is repeated, and what becomes of its failures. */
interface Repetition {
  readonly clock: Clock
  /** Milliseconds before the first run, and between two. */
  readonly everyMs: number
  readonly onFault: (error: unknown) => void
}

/** Repeats work until it is disposed of, which waits for the present run. A failure does not end it. */
export function repeat(
  { clock, everyMs, onFault }: Repetition,
  work: () => Promise<void>,
): AsyncDisposable {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async (): Promise<void> => {
    await wait(clock, everyMs, signal)
    while (!signal.aborted) {
      await work().catch(onFault)
      await wait(clock, everyMs, signal)
    }
  }
  const running = run()
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort()
      await running
    },
  }
}
