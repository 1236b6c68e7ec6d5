import { StoreUnavailable, type Store } from '../../../src/core/ports/store.ts'

/** A store that a test can make refuse every transaction, as if the process or the disk had died. */
export interface BrittleStore {
  readonly store: Store
  isDead: boolean
}

/** Wraps a store. */
export function brittleStore(store: Store): BrittleStore {
  const state: BrittleStore = {
    isDead: false,
    store: {
      ...store,
      transact: (work) =>
        state.isDead
          ? Promise.reject(new StoreUnavailable('the disk is full'))
          : store.transact(work),
    },
  }
  return state
}
