import { Problem } from '../problem.ts'

/**
 * Builds a page: immediately if it is small, in turn if it is large. Throws `unavailable` if too
 * many large pages are waiting.
 */
export type MakePage = <T>(instances: number, make: () => Promise<T>) => Promise<T>

/** Largest page, in instances, that is built immediately. */
const usualInstances = 100
/** Maximum of concurrent large pages: on a network store each waits for its database. */
const togetherMax = 4
/** Large pages that wait. */
const waitingMax = 1000
/**
 * Turns of the event loop before each large page. An idle turn takes microseconds and accepts one
 * connection.
 */
const turnsBetween = 64

/**
 * Spreads large pages over turns of the event loop. Otherwise hundreds of concurrent requests would
 * block all other clients for half a minute, and new connections would wait for all of them.
 */
export function largePages(): MakePage {
  const waiting: (() => void)[] = []
  let together = 0
  let isDue = false

  const beginNext = (): void => {
    if (isDue || together === togetherMax || waiting.length === 0) return
    isDue = true
    afterTurns(turnsBetween, () => {
      isDue = false
      together += 1
      waiting.shift()?.()
      beginNext()
    })
  }
  const inTurn = async <T>(make: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      beginNext()
    })
    try {
      return await make()
    } finally {
      together -= 1
      beginNext()
    }
  }
  return (instances, make) => {
    if (!(instances > usualInstances)) return make()
    return waiting.length < waitingMax ? inTurn(make) : Promise.reject(tooMany())
  }
}

function afterTurns(turns: number, then: () => void): void {
  if (turns === 0) then()
  else setImmediate(afterTurns, turns - 1, then)
}

function tooMany(): Problem {
  const detail = `${waitingMax} large pages are waiting. Ask for smaller ones, or try again.`
  return new Problem('unavailable', detail, { headers: { 'retry-after': '1' } })
}
