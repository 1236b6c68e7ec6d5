import { defaultAccount } from '../../core/account.ts'
import { wait, type Clock } from '../../core/ports/clock.ts'
import type { Store } from '../../core/ports/store.ts'

/** Whether requests can be answered: `ready`, or why not. */
export type ReadinessCheck = 'ready' | 'starting' | 'stopping' | 'store unreachable'

/** Asks whether requests can be answered. */
export type Readiness = () => Promise<ReadinessCheck>

/** The state of this process, which begins with `starting`. */
export interface ProcessState {
  become(next: 'ready' | 'stopping'): void
  readonly readiness: Readiness
}

/** Keeps whether requests are taken, and asks whether the store is there for them. */
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

/** So long the store has to answer, and so long what it said is believed. */
const [probeTimeoutMs, freshMs] = [1200, 500]

/** Many who ask at the same time ask once. */
function storeProbe(store: Store, clock: Clock): () => Promise<boolean> {
  let current: Promise<boolean> | null = null
  const probe = async (): Promise<boolean> => {
    const over = new AbortController()
    const late = wait(clock, probeTimeoutMs, over.signal).then(() => false)
    const reached = store.log.end(defaultAccount).then(
      () => true,
      () => false,
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
