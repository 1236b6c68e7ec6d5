import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { compare, isSlower } from '../../bench/guard/verdict.ts'
import { seededRandom } from '../support/seeded-random.ts'

describe('the guard', () => {
  it('takes noise for noise, however much the machine does besides', () => {
    const told = seeds.filter((seed) => isSlower(compare(pairs(seed, 1)), 0.2))

    assert.deepEqual(told, [])
  })

  it('sees through the same noise what takes twice as long', () => {
    const told = seeds.filter((seed) => isSlower(compare(pairs(seed, 2)), 0.2))

    assert.ok(told.length > seeds.length * 0.9, `it told ${told.length} of ${seeds.length}`)
  })

  it('sees the margin itself where nothing disturbs', () => {
    const quiet = Array.from({ length: 48 }, () => ({ old: 100, now: 121 }))

    assert.ok(isSlower(compare(quiet), 0.2))
    assert.ok(!isSlower(compare(quiet), 0.25))
  })
})

const seeds = Array.from({ length: 200 }, (_, seed) => seed + 1)

/** Costs that a busy machine makes up to three times as high, each at another time. */
function pairs(seed: number, slower: number): { old: number; now: number }[] {
  const random = seededRandom(seed)
  const disturbed = (): number => 1 + (random.bytes(1)[0] ?? 0) / 128
  return Array.from({ length: 48 }, () => ({
    old: 100 * disturbed(),
    now: 100 * slower * disturbed(),
  }))
}
