import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'

/** Work that one node at a time does. */
export interface NodeLease {
  /** Takes or extends it; returns false if another node has it. */
  take(): Promise<boolean>
  /** Leaves it to another node at once. */
  release(): Promise<void>
}

/** Dependencies of a lease. */
interface LeaseParts {
  readonly store: Store
  readonly clock: Clock
  /** The name of this node; null if it has the store alone, and needs no lease. */
  readonly owner: string | null
}

/** Makes the lease of this name. A node that disappears keeps others from it for `leaseMs` milliseconds. */
export function nodeLease(
  { store, clock, owner }: LeaseParts,
  name: string,
  leaseMs: number,
): NodeLease {
  return {
    take: async () => {
      if (owner === null) return true
      const now = clock.now()
      const held = await store.transact(({ leases }) =>
        leases.take([name], owner, now, now + leaseMs),
      )
      return held.length > 0
    },
    release: async () => {
      if (owner !== null) await store.transact(({ leases }) => leases.release([name], owner))
    },
  }
}
