import { broadcastWork } from '../../collections/broadcast-work.ts'
import { broadcastLoop, type BroadcastLoopOptions } from './broadcast-loop.ts'

/** What makes messages of broadcasts. Disposing it ends after the slice at hand. */
export interface Broadcasting extends AsyncDisposable {
  /** Goes on where the last process stopped. */
  start(): void
}

/** Makes what makes messages of broadcasts. */
export function broadcasting(options: BroadcastLoopOptions): Broadcasting {
  const { store, clock } = options
  const slices = broadcastLoop(options)
  let unsubscribe = (): void => {}

  return {
    start() {
      unsubscribe = store.onCommit(({ changed }) => {
        if (changed.has(broadcastWork.name)) slices.wake(clock.now())
      })
      slices.wake(clock.now())
    },
    async [Symbol.asyncDispose]() {
      unsubscribe()
      await slices.stop()
    },
  }
}
