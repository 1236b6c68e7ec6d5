import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { plants } from './parts/plants.ts'
import { simulate } from './simulate.ts'

describe('The simulation', () => {
  for (const plant of plants) {
    const { name, from = 1, foundWithin } = plant()
    it(`finds a service that ${name} within ${foundWithin} schedules`, async (t) => {
      let found: string | undefined

      for (let seed = from; seed < from + foundWithin && found === undefined; seed += 1) {
        const { complaints } = await simulate(seed, plant())
        if (complaints.length > 0) found = `seed ${seed}: ${complaints[0]}`
      }

      assert.notEqual(found, undefined)
      t.diagnostic(found ?? '')
    })
  }

  it('plays a seed the same way twice', async () => {
    const [first, second] = [await simulate(7), await simulate(7)]

    assert.deepEqual(first, second)
  })
})
