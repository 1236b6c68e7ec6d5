import { Session } from 'node:inspector'

// Preloaded into the service by `walks.ts`. On the message `start` it resets V8's coverage; on `take` it
// sends the functions that ran since then, each as the URL of its file, `#`, and its offset.

interface Coverage {
  readonly result: readonly {
    readonly url: string
    readonly functions: readonly {
      readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
    }[]
  }[]
}

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })

process.on('message', (message) => {
  session.post('Profiler.takePreciseCoverage', (error, coverage) => {
    if (error !== null) throw error
    process.send?.(message === 'take' ? ranFunctions(coverage) : null)
  })
})
// The channel must not keep the service running.
process.channel?.unref()

/** Loading a module runs its top level, which starts at 0: that is not part of the walk. */
function ranFunctions({ result }: Coverage): readonly string[] {
  return result.flatMap(({ url, functions }) =>
    functions.flatMap(({ ranges: [whole] }) =>
      whole !== undefined && whole.count > 0 && whole.startOffset > 0
        ? [`${url}#${whole.startOffset}`]
        : [],
    ),
  )
}
