import type { NamedLeases } from '../../src/core/ports/leases.ts'
import type { Instant } from '../../src/core/ports/clock.ts'
import type { Store } from '../../src/core/ports/store.ts'

/** Returns a store whose clock, which its nodes share, has this time. */
export function withTime<S extends Store>(store: S, time: () => Instant): S {
  return {
    ...store,
    transact: (work, mode, shard) =>
      store.transact(
        (transaction) => {
          const { leases: given } = transaction
          const leases: NamedLeases = {
            ...given,
            list: async (prefix) => ({ ...(await given.list(prefix, 0)), now: time() }),
          }
          const timed = new Proxy(transaction, {
            get: (target, name) => {
              if (name === 'leases') return leases
              const member: unknown = Reflect.get(target, name, target)
              return typeof member === 'function' ? member.bind(target) : member
            },
          })
          return work(timed)
        },
        mode,
        shard,
      ),
  }
}
