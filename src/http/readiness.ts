import { wait, type Clock } from '../core/clock.ts'
import type { Store } from '../core/store.ts'

/** Whether requests can be answered: `ready`, or why not. */
export type Ready = 'ready' | 'starting' | 'stopping' | 'store unreachable'

/** So long the store has to answer, and so long what it said is believed. */
const [answerMs, freshMs] = [1200, 500]

/** Makes what asks the store whether it is there; many who ask at the same time ask once. */
export function storeProbe(store: Store, clock: Clock): () => Promise<boolean> {
  let asked: Promise<boolean> | null = null
  const ask = async (): Promise<boolean> => {
    const over = new AbortController()
    const late = wait(clock, answerMs, over.signal).then(() => false)
    const there = store.log.end().then(
      () => true,
      () => false,
    )
    const answers = await Promise.race([there, late])
    over.abort()
    clock.after(freshMs, () => {
      asked = null
    })
    return answers
  }
  return () => (asked ??= ask())
}
