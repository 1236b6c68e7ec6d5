import type { ProcessContext } from './process-context.ts'

/** The limit for finishing active work. */
export const stopMsMax = 30_000

/** The limit after that for the process to end by itself. */
const lingerMsMax = 2_000

/** npm repeats a Ctrl-C that the process already received from the terminal: both are one request. */
const repeatMsMax = 250

/** The notice of a stop request. */
export interface StopNotice {
  /** Aborted at the first request. The reason is the signal's name. */
  readonly signal: AbortSignal
  /** Resolves at the first request. */
  readonly given: Promise<void>
}

/**
 * Watches stop requests. The first begins an orderly stop. Another one, or the end of the time
 * limit, ends the process immediately. It watches until the process ends: npm's repetition may come
 * last and must not change the exit code.
 */
export function watchShutdown({
  onStopRequest,
  clock,
  end,
}: Pick<ProcessContext, 'onStopRequest' | 'clock' | 'end'>): StopNotice {
  const controller = new AbortController()
  const given = Promise.withResolvers<void>()

  let firstAt: number | null = null
  onStopRequest((request) => {
    if (firstAt === null) {
      firstAt = clock.monotonic()
      clock.after(stopMsMax + lingerMsMax, () => end(request))
      controller.abort(request)
      given.resolve()
    } else if (clock.monotonic() - firstAt >= repeatMsMax) {
      end(request)
    }
  })

  return { signal: controller.signal, given: given.promise }
}
