import { wait } from '../clock.ts'
import { etagOf } from './entity-tag.ts'
import type { InstanceOperations } from './instance-operations.ts'
import type { RequestOptions } from '../options.ts'
import { NuncioProblem } from '../requests/problem.ts'
import { jitteredMs } from '../requests/delay-before-next.ts'
import type { Settings } from '../settings.ts'

/** Reads an instance, and replaces it with the result of `change`. */
export type Update = (
  id: string,
  change: (current: object) => unknown,
  options?: RequestOptions,
) => Promise<object>

/** Attempts while others keep changing the instance. */
const roundsMax = 8
/** The longest wait between two attempts: others finish quickly. */
const waitMsMax = 2000

/** Makes the operation that changes an instance and preserves concurrent changes. */
export function updater(
  { get, put }: InstanceOperations,
  { clock, random }: Pick<Settings, 'clock' | 'random'>,
): Update {
  return async (id, change, options) => {
    for (let round = 1; ; round += 1) {
      const current = await get(id, options)
      const wanted = await change(current)
      try {
        return await put(id, wanted, { ...options, ifMatch: etagOf(current) })
      } catch (error) {
        if (!wasOvertaken(error) || round === roundsMax) throw error
      }
      await wait(clock, jitteredMs(round, random, waitMsMax), options?.signal)
    }
  }
}

/**
 * Returns true if another client changed the instance. After a lost response it may have been this
 * client, and the change must not be repeated.
 */
function wasOvertaken(error: unknown): boolean {
  return error instanceof NuncioProblem && error.type === 'precondition-failed' && !error.uncertain
}
