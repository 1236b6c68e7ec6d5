import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PartOutcome } from '../../src/core/ports/receipts.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }

/** A carrier, what is counted of it, and how many receipts wait in the store. */
async function started(world: World) {
  const carrier = fakeCarrier()
  const counted: string[] = []
  const counts = {
    submitted: () => {},
    throttled: () => {},
    receipted: (id: string, match: string) => void counted.push(`${id} ${match}`),
  }
  await world.start([carrier], { counts })
  return {
    counted,
    report: (carrierMessageId: string, outcome = delivered) =>
      carrier.report({ kind: 'RECEIPT', carrierMessageId, outcome }),
    unmatched: () => world.store.transact(({ receipts }) => receipts.unmatched(99)),
  }
}

describe('receipts', () => {
  it('are counted by what they found', async () => {
    await using world = await openWorld()
    const { counted, report } = await started(world)
    const [first, second] = [await world.post(aMessage()), await world.post(aMessage())]
    await world.comesTo(first.id, 'SENT.null')
    await world.comesTo(second.id, 'SENT.null')

    await report(`${first.id}.1`)
    await report(`${first.id}.1`)
    await report('of-nobody')
    await report(`${second.id}.1`, { type: 'UNKNOWN', detail: null })
    await report(`${second.id}.1`)

    assert.deepEqual(
      counted.map((each) => each.split(' ')[1]),
      ['MATCHED', 'REPEATED', 'UNMATCHED', 'MATCHED', 'LATE'],
    )
  })

  it('that match nothing are kept once, however often they are repeated', async () => {
    await using world = await openWorld()
    const { counted, report, unmatched } = await started(world)

    await report('of-nobody', { type: 'UNKNOWN', detail: null })
    await report('of-nobody')
    await report('of-nobody')

    assert.equal(await unmatched(), 2)
    assert.deepEqual(
      counted.map((each) => each.split(' ')[1]),
      ['UNMATCHED', 'UNMATCHED', 'REPEATED'],
    )
  })
})
