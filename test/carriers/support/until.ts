import type { MaybePromise } from '../../../src/core/maybe-promise.ts'

/** Turns of the event loop that something over the loopback network may take. */
const turnsMax = 200_000

/** Waits for something to come about over the network. */
export async function until(what: string, holds: () => MaybePromise<boolean>): Promise<void> {
  for (let turn = 0; turn < turnsMax; turn += 1) {
    if (await holds()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error(`it never came to this: ${what}`)
}
