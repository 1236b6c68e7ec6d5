import type { Store } from '../../../src/core/ports/store.ts'

/** When the next submission is due, wherever it waits; null where there is none. */
export async function nextDueAt(store: Store): Promise<number | null> {
  const places = await store.transact(({ submissions }) => submissions.waiting(0))
  return places.length === 0 ? null : Math.min(...places.map(({ dueAt }) => dueAt))
}
