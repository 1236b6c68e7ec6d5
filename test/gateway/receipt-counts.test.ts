import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { PartOutcome } from '../../src/core/ports/receipts.ts'
import { receiptRetentionMs } from '../../src/gateway/reports/report-loops.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const dayMs = 24 * 3_600_000

/** Lets so much time pass at once, and then as long as it takes until it is looked again. */
async function later({ clock }: World, ms: number): Promise<void> {
  clock.jump(ms)
  await clock.advance(3_700_000)
}

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

  it('that match nothing are kept for a week, and no longer', async () => {
    await using world = await openWorld()
    const { report, unmatched } = await started(world)
    for (let receipt = 0; receipt < 450; receipt += 1) await report(`of-nobody-${receipt}`)
    const before = await unmatched()

    await later(world, receiptRetentionMs - dayMs)
    const kept = await unmatched()
    await later(world, 2 * dayMs)

    assert.deepEqual([before, kept, await unmatched()], [99, 99, 0])
  })

  it('that were matched are forgotten a week after they were due', async () => {
    await using world = await openWorld()
    const { report } = await started(world)
    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')
    await report(`${id}.1`)
    const find = () =>
      world.store.transact(({ receipts }) => receipts.find('carrier_simulator', `${id}.1`))
    const before = await find()

    await later(world, 3 * dayMs + receiptRetentionMs + dayMs)

    assert.deepEqual(before?.outcome, delivered)
    assert.equal(await find(), null)
  })
})
