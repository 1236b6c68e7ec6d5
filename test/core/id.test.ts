import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isChosenId, typeIds } from '../../src/core/id.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock } from '../support/virtual-clock.ts'

describe('a generated identifier', () => {
  it('is a TypeID: the prefix and a UUIDv7 in Crockford’s base 32', () => {
    const newId = typeIds(virtualClock(0x0188bac7_4afa), seededRandom(1))

    const id = newId('message')

    // TypeID's own example has the same time in front: message_01h2xcejqt…
    assert.match(id, /^message_01h2xcejqt[0-9a-hjkmnp-tv-z]{16}$/)
    assert.equal(isChosenId(id), true)
  })

  it('grows strictly, within a millisecond and when the clock goes back', async () => {
    const clock = virtualClock()
    const newId = typeIds(clock, seededRandom(2))

    const ids: string[] = []
    for (let round = 0; round < 20_000; round += 1) {
      if (round % 5000 === 4999) clock.jump(round === 9999 ? -60_000 : 1)
      ids.push(newId('contact'))
    }

    // Not one comparison of all: where it fails, its difference would take minutes to write.
    const wrong = ids.findIndex((id, index) => index > 0 && id <= (ids[index - 1] ?? ''))
    assert.equal(wrong, -1, `${ids[wrong]} came after ${ids[wrong - 1]}`)
  })
})

describe('a chosen identifier', () => {
  it('has 1 to 64 unreserved characters and is no step in a path', () => {
    for (const id of ['a', 'order-17', 'A_b.c~d', 'x'.repeat(64)])
      assert.equal(isChosenId(id), true, id)
    for (const id of ['', '.', '..', 'a b', 'a/b', 'ä', 'x'.repeat(65), 'a%20b']) {
      assert.equal(isChosenId(id), false, id)
    }
  })
})
