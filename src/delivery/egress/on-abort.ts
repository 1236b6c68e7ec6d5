/** What is to be called for each signal: one listener of a signal stands for all of them. */
const calls = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls `call` once when the signal is given; the function returned calls that off. As `addEventListener`,
 * but for many at once that come and go with every request. The signal must not be given yet.
 */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  const known = calls.get(signal) ?? listen(signal)
  known.add(call)
  return () => known.delete(call)
}

function listen(signal: AbortSignal): Set<() => void> {
  const all = new Set<() => void>()
  calls.set(signal, all)
  const tell = (): void => {
    for (const call of all) call()
    all.clear()
  }
  signal.addEventListener('abort', tell, { once: true })
  return all
}
