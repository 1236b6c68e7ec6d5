import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PartOutcome } from '../../src/core/ports/receipts.ts'
import { defaultAccount } from '../../src/core/account.ts'
import { fakeCarrier, type FakeCarrier } from './support/fake-carrier.ts'
import { storeKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const failed: PartOutcome = { type: 'FAILED', detail: 'HANDSET_ERROR' }

/** Parts are called after the turn in which their message was submitted: no two have one name. */
function countingCarrier(answers: boolean): FakeCarrier {
  const carrier: FakeCarrier = fakeCarrier(({ numberOfParts }) =>
    answers ? partsOf(carrier.submitted.length, numberOfParts) : null,
  )
  return carrier
}

function partsOf(turn: number, count: number) {
  const carrierMessageIds = Array.from({ length: count }, (_, index) => `${turn}.${index + 1}`)
  return { kind: 'SUBMITTED', carrierMessageIds } as const
}

function receipt(carrier: FakeCarrier, carrierMessageId: string, outcome: PartOutcome) {
  return carrier.report({ kind: 'RECEIPT', carrierMessageId, outcome })
}

async function parts(world: World, id: string): Promise<readonly string[]> {
  const found = await world.store.transact((tx) => tx.receipts.parts(defaultAccount, id))
  return found.map(({ carrierMessageId }) => carrierMessageId)
}

const twoParts = aMessage({ body: 'a'.repeat(300) })

for (const kind of storeKinds) {
  describe(`a message that has the identifier of one that was deleted, over ${kind}`, () => {
    it('is not changed by receipts of the other, and inherits none', async () => {
      await using world = await openWorld(kind)
      const carrier = countingCarrier(true)
      await world.start([carrier])
      await world.put('m', twoParts)
      await world.comesTo('m', 'SENT.null')
      await receipt(carrier, '1.1', delivered)

      await world.remove('m')
      await world.put('m', twoParts)
      await world.until('it is submitted', () => carrier.submitted.length === 2)
      await world.until(
        'it is SENT',
        async () => (await world.message('m'))?.status.type === 'SENT',
      )
      await receipt(carrier, '1.2', failed)
      await receipt(carrier, '1.1', failed)
      await receipt(carrier, '2.2', delivered)
      const half = await world.message('m')
      const expected = await parts(world, 'm')
      await receipt(carrier, '2.1', delivered)

      assert.equal(half?.status.id, 'SENT.null')
      assert.deepEqual(expected, ['2.1', '2.2'])
      assert.equal((await world.message('m'))?.status.id, 'DELIVERED.null')
    })

    it('is not sent by the answer to the other', async () => {
      await using world = await openWorld(kind)
      const carrier = countingCarrier(false)
      await world.start([carrier])
      await world.put('m', twoParts)
      await world.until('it is submitted', () => carrier.submitted.length === 1)

      await world.remove('m')
      await world.put('m', twoParts)
      await world.until('its successor is, too', () => carrier.submitted.length === 2)
      carrier.answer(partsOf(1, 2))
      await world.clock.advance(1000)
      const before = [(await world.message('m'))?.status.id, await parts(world, 'm')]
      carrier.answer(partsOf(2, 2))
      await world.comesTo('m', 'SENT.null')

      assert.deepEqual(before, ['ACCEPTED.null', []])
      assert.deepEqual(await parts(world, 'm'), ['2.1', '2.2'])
    })
  })
}
