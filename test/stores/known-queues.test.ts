import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { KnownQueues } from '../../src/stores/sql/queues/known-queues.ts'
import { everyCell } from '../../src/stores/sql/tables/slice.ts'

const slice = everyCell[0] ?? assert.fail()
const queue = { lane: 'lane', priority: 1 }

/** What is known of the queue after a look at this time found nothing. */
function lookedAt(now: number): KnownQueues {
  const known = new KnownQueues()
  known.add(slice, queue)
  known.look(now)
  for (const each of known.of(slice)) known.found(each, null, now)
  return known
}

describe('what a node remembers of queues', () => {
  it('begins shortly before a look that found nothing, or at the first row', () => {
    const known = lookedAt(100_000)
    const afterNothing = known.beginOf(slice, queue)
    for (const each of known.of(slice)) known.found(each, 50_000, 100_001)

    assert.deepEqual([afterNothing, known.beginOf(slice, queue)], [98_500, 48_500])
  })

  it('keeps the look at a whole queue when one that began before it ends after it', () => {
    const known = lookedAt(100_000)
    const [before] = known.of(slice)
    assert.ok(before !== undefined)
    known.look(105_000)

    known.found(before, null, 105_000)

    assert.equal(known.beginOf(slice, queue), 0)
  })

  it('ends after ten minutes without rows', () => {
    const known = lookedAt(100_000)

    known.look(100_000 + 599_999)
    const kept = known.of(slice).length
    known.look(100_000 + 605_000)

    assert.deepEqual([kept, known.of(slice).length], [1, 0])
  })
})
