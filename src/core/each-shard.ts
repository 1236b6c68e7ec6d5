import type { Clock } from './ports/clock.ts'
import type { Store } from './ports/store.ts'
import { type Shard, wholeStore } from './shard.ts'

/** Returns a store whose transactions concern one shard, unless they name another. */
export function onShard(store: Store, shard: Shard): Store {
  return {
    ...store,
    transact: (work, pace, own = shard) => store.transact(work, pace, own),
  }
}

/** One of something for each shard of a store. */
export interface EachShard<T> {
  all(): readonly T[]
  /** Stops the creation of further ones. */
  end(): readonly T[]
}

/** The interval of looking for new shards, in milliseconds. */
const lookMs = 2000

/**
 * Makes one of something for each shard of a store, and for those that a rebalance adds. So a shard that fails
 * delays no work of another.
 */
export function eachShard<T>(
  store: Store,
  clock: Clock,
  make: (store: Store, shard: Shard) => T,
): EachShard<T> {
  const made = new Map<Shard, T>()
  let cancel = (): void => {}
  const look = (): void => {
    for (const shard of store.shards()) {
      if (!made.has(shard)) made.set(shard, make(onShard(store, shard), shard))
    }
    if (!made.has(wholeStore)) cancel = clock.after(lookMs, look)
  }
  look()
  return {
    all: () => [...made.values()],
    end: () => {
      cancel()
      return [...made.values()]
    },
  }
}
