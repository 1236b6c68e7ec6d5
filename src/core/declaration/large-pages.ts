import { Problem } from '../problem.ts'

/**
 * Makes a page of at most so many instances: a usual one at once, a large one in its turn. Throws
 * `unavailable` where too many large ones are waiting.
 */
export type MakePage = <T>(instances: number, make: () => Promise<T>) => Promise<T>

/** Instances that a page may have to be made at once. */
const usualInstances = 100
/** So many large pages are under way together: over the network one waits for its database. */
const togetherMax = 4
/** Large pages that wait. */
const waitingMax = 1000
/** Turns of the event loop before each. One takes microseconds where nothing has come, and accepts one connection. */
const turnsBetween = 64

/**
 * Lets each large page begin some turns of the event loop after the one before. Hundreds that are
 * asked for at once would otherwise be made in one turn, and nobody else be answered for the half of
 * a minute; and with a turn each who connects meanwhile would wait behind all of them.
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
