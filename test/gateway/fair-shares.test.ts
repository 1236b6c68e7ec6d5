import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  fairShares,
  type FairShares,
  type ShareRequest,
  tokenBucket,
} from '../../src/gateway/rates.ts'
import { virtualClock } from '../support/virtual-clock.ts'

describe('fair shares', () => {
  it('are by weight, however few slots there are at a time', () => {
    const shares = fairShares()
    const wanting = [want('urgent', 8), want('usual', 2), want('bulk', 1)]

    const taken = rounds(shares, wanting, 1, 110)

    assert.deepEqual(taken, { urgent: 80, usual: 20, bulk: 10 })
  })

  it('leave what one cannot use to the others', () => {
    const allotted = fairShares().allot([want('urgent', 8, 3), want('usual', 2)], 100)

    assert.deepEqual(
      [...allotted],
      [
        ['urgent', 3],
        ['usual', 97],
      ],
    )
  })

  it('give nothing for the time in which one wanted nothing', () => {
    const shares = fairShares()
    rounds(shares, [want('usual', 2)], 10, 100)

    const taken = rounds(shares, [want('usual', 2), want('late', 2)], 10, 10)

    assert.deepEqual(taken, { usual: 50, late: 50 })
  })
})

describe('a rate', () => {
  it('is kept to over time, in parts, and saves up no more than a second', async () => {
    const clock = virtualClock()
    const bucket = tokenBucket(10, clock)

    const first = bucket.available()
    bucket.take(13)
    const inDebt = bucket.available()
    const waitMs = bucket.waitMs()
    await clock.advance(400)
    const then = bucket.available()
    await clock.advance(60_000)

    assert.deepEqual([first, inDebt, then, bucket.available()], [10, -3, 1, 10])
    assert.ok(Math.abs(waitMs - 400) < 1)
  })
})

function want(key: string, weight: number, max = Infinity): ShareRequest {
  return { key, weight, max }
}

function rounds(
  shares: FairShares,
  wanting: readonly ShareRequest[],
  slots: number,
  count: number,
): Readonly<Record<string, number>> {
  const taken: Record<string, number> = {}
  for (let round = 0; round < count; round += 1) {
    const allotted = shares.allot(wanting, slots)
    for (const each of wanting) {
      const share = allotted.get(each.key) ?? 0
      shares.charge(each, share)
      taken[each.key] = (taken[each.key] ?? 0) + share
    }
  }
  return taken
}
