import { defaultAccount } from '../../core/account.ts'
import { wait, type Clock } from '../../core/ports/clock.ts'
import { type Store, StoreUnavailable } from '../../core/ports/store.ts'

/** Readiness to serve requests: `ready`, or the reason against it. */
export type ReadinessCheck = 'ready' | 'starting' | 'stopping' | 'store unreachable'

/** Returns the current readiness. */
export type Readiness = () => Promise<ReadinessCheck>

/** The state of this process, which begins with `starting`. */
export interface ProcessState {
  become(next: 'ready' | 'stopping'): void
  readonly readiness: Readiness
}

/** Creates the state of this process. A ready process also needs a reachable store. */
export function processState(store: Store, clock: Clock): ProcessState {
  const reaches = storeProbe(store, clock)
  let state: 'starting' | 'ready' | 'stopping' = 'starting'
  return {
    become: (next) => {
      state = next
    },
    readiness: async () => (state !== 'ready' || (await reaches()) ? state : 'store unreachable'),
  }
}

/** Timeout of a probe of the store, and the time for which its result is valid, in milliseconds. */
const [probeTimeoutMs, freshMs] = [1200, 500]

/** Creates a probe of the store that concurrent callers share. */
function storeProbe(store: Store, clock: Clock): () => Promise<boolean> {
  let current: Promise<boolean> | null = null
  const probe = async (): Promise<boolean> => {
    const over = new AbortController()
    const late = wait(clock, probeTimeoutMs, over.signal).then(() => false)
    const reached = store.log.end(defaultAccount).then(
      () => true,
      // If one of several servers is away, the others are served. A proxy before one server fails alike.
      (error: unknown) =>
        error instanceof StoreUnavailable && error.isInPart && store.shards().length > 1,
    )
    const isReachable = await Promise.race([reached, late])
    over.abort()
    clock.after(freshMs, () => {
      current = null
    })
    return isReachable
  }
  return () => (current ??= probe())
}
