/** So many rounds of questions at once. */
const roundsMax = 2

/**
 * Asks for what comes in one turn of the event loop, or while others are asked, in one round. Each
 * question is asked after it came, so that the answer is not older than it; the same one is asked once.
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
        // One answer for each question: the list is as long as that of those who wait.
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
