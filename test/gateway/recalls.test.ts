import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recalls } from '../../src/gateway/submission/submitter.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { fakeCarrier, type FakeCarrier } from './support/fake-carrier.ts'
import { presentStoreKinds } from './support/stores.ts'
import { aMessage, openWorld } from './support/world.ts'

/** Whether the messages that a carrier was given, in order, are recalled. */
const recalledOf = ({ submitted }: FakeCarrier): readonly boolean[] =>
  submitted.map(({ isRecalled }) => isRecalled?.() === true)

for (const kind of presentStoreKinds) {
  describe(`a message that is deleted while its carrier has it (${kind})`, () => {
    it('is called back before that is answered, and no other one', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier(() => null)
      await world.start([carrier])
      const { id } = await world.post(aMessage())
      await world.post(aMessage())
      await world.until('both are there', () => carrier.submitted.length === 2)
      const before = recalledOf(carrier)

      await world.remove(id)

      assert.deepEqual(before, [false, false])
      assert.deepEqual(recalledOf(carrier), [true, false])
    })

    it('is another one than that which is made anew under its identifier', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier(() => null)
      await world.start([carrier])
      await world.put('again', aMessage())
      await world.until('it is there', () => carrier.submitted.length === 1)

      await world.remove('again')
      await world.put('again', aMessage())
      await world.until('the new one is there', () => carrier.submitted.length === 2)

      assert.deepEqual(recalledOf(carrier), [true, false])
    })
  })
}

describe('what was called back', () => {
  it('is remembered for as long as a carrier may have it', async () => {
    const clock = virtualClock()
    const known = recalls(clock, 1000)

    known.add(['a'])
    await clock.advance(900)
    known.add(['b'])
    const early = ['a', 'b', 'c'].map((id) => known.has(id))
    await clock.advance(900)
    known.add(['c'])

    assert.deepEqual(early, [true, true, false])
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => known.has(id)),
      [false, true, true],
    )
  })

  it('is bounded', () => {
    const known = recalls(virtualClock(), 1000)
    const ids = Array.from({ length: 100_001 }, (_, index) => `s${index}`)

    known.add(ids)

    assert.deepEqual([known.has('s0'), known.has('s1')], [false, true])
  })
})
