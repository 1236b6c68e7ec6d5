import type { ProcessContext } from './process-context.ts'

/** How long finishing what is in flight may take. */
export const stopMsMax = 30_000

/** After the time for finishing, the time for a process that is done to end by itself. */
const lingerMsMax = 2_000

/** npm passes a Ctrl-C on to a process that has had it from the terminal already: both are one request. */
const repeatMsMax = 250

/** Notes that this process is asked to stop. */
export interface StopNotice {
  /** Given at the first request. Its reason is the signal's name. */
  readonly signal: AbortSignal
  /** Kept at the first request. */
  readonly given: Promise<void>
}

/**
 * Listens for requests to stop. The first one begins an orderly stop. Another one ends the process
 * at once, and so does the time, whatever is still open then. It listens until the process ends: the
 * request that npm passes on may come last, and must not change the exit code.
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
