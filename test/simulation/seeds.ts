import assert from 'node:assert/strict'
import { it } from 'node:test'
import { simulate } from './simulate.ts'

/** So many schedules are one test. */
const together = 100

/** Plays the schedules from one seed up to, not including, another. */
export function playSeeds(first: number, end: number): void {
  for (let from = first; from < end; from += together) {
    const to = Math.min(from + together, end)
    it(`loses nothing and keeps the order: seeds ${from} to ${to - 1}`, async () => {
      const failed: string[] = []
      for (let seed = from; seed < to; seed += 1) {
        const { complaints } = await simulate(seed)
        if (complaints.length > 0) {
          failed.push(`${complaints.join('; ')}\n  repeat it: npm run simulate -- --seed ${seed}`)
        }
      }
      assert.deepEqual(failed, [], `\n${failed.join('\n')}\n`)
    })
  }
}
