/** Maximum of simultaneous rounds. */
const roundsMax = 2

/**
 * Sends the lookups of one turn of the event loop, or of the time of an earlier round, in one round. Each
 * begins after its call, so its result is not older than the call. Equal lookups are sent once.
 */
export function coalesced<T>(
  ask: (questions: readonly string[]) => Promise<readonly T[]>,
): (question: string) => Promise<T> {
  let waiting = new Map<string, PromiseWithResolvers<T>>()
  let running = 0
  let isStarting = false

  const start = (): void => {
    if (isStarting || waiting.size === 0 || running === roundsMax) return
    isStarting = true
    setImmediate(() => void go())
  }
  const go = async (): Promise<void> => {
    const round = waiting
    waiting = new Map()
    isStarting = false
    running += 1
    try {
      const answers = await ask([...round.keys()])
      for (const [index, { resolve }] of [...round.values()].entries()) {
        // The results have the order of the lookups.
        resolve(answers[index] as T)
      }
    } catch (error) {
      for (const { reject } of round.values()) reject(error)
    }
    running -= 1
    start()
  }

  return (question) => {
    const known = waiting.get(question) ?? Promise.withResolvers<T>()
    waiting.set(question, known)
    start()
    return known.promise
  }
}
