import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CarrierEvent, ReceiptMatch } from '../../src/core/ports/carrier.ts'
import { EventsNotStored } from '../../src/core/ports/events-not-stored.ts'
import { joinedReceipts } from '../../src/gateway/reports/joined-receipts.ts'
import { settle } from '../support/virtual-clock.ts'

const receipt = (carrierMessageId: string): CarrierEvent & { readonly kind: 'RECEIPT' } => ({
  kind: 'RECEIPT',
  carrierMessageId,
  outcome: { type: 'DELIVERED', detail: null },
})

/** Outcomes and receipts that meet, with what the others were reported, and the counted matches. */
function meeting(others: (events: readonly CarrierEvent[]) => Promise<void> = async () => {}) {
  const [reported, matches]: [(readonly CarrierEvent[])[], ReceiptMatch[]] = [[], []]
  const joined = joinedReceipts({ receipted: (_, match) => void matches.push(match) })
  const report = joined.report(async (_, events) => {
    reported.push(events)
    await others(events)
  })
  return { joined, reported, matches, report: (events: CarrierEvent[]) => report('c', events) }
}

const stopped = new Error('the store is away')

describe('receipts of an outcome that waits', () => {
  it('are stored with it, and the others alone', async () => {
    const { joined, report, reported, matches } = meeting()
    const awaited = joined.await('c', ['1', '2'])

    const done = report([receipt('1'), receipt('3'), receipt('2')])
    await settle(3)
    const isEarly = await Promise.race([done.then(() => true), settle(1).then(() => false)])
    awaited.end(true)
    await done

    assert.equal(isEarly, false)
    assert.deepEqual(
      awaited.receipts.map(({ carrierMessageId }) => carrierMessageId),
      ['1', '2'],
    )
    assert.deepEqual(reported, [[receipt('3')]])
    assert.deepEqual(matches, ['MATCHED', 'MATCHED'])
  })

  it('do not join that of another carrier', async () => {
    const { joined, report, reported } = meeting()
    const elsewhere = joined.await('d', ['1'])

    await report([receipt('1')])

    assert.deepEqual(elsewhere.receipts, [])
    assert.deepEqual(reported, [[receipt('1')]])
  })

  it('are stored alone after it, if its transaction has begun', async () => {
    const { joined, report, reported } = meeting()
    const begun = joined.await('c', ['1'])
    begun.begin()

    const done = report([receipt('1')])
    await settle(3)
    const early = [...reported]
    begun.end(true)
    await done

    assert.deepEqual([begun.receipts, early], [[], []])
    assert.deepEqual(reported, [[receipt('1')]])
  })

  it('join the newer one if the carrier has used an identifier again', async () => {
    const { joined, report } = meeting()
    const old = joined.await('c', ['1'])
    const newer = joined.await('c', ['1'])
    old.end(true)

    const done = report([receipt('1')])
    newer.end(true)
    await done

    assert.deepEqual([old.receipts.length, newer.receipts.length], [0, 1])
  })

  it('are few', async () => {
    const { joined, report, reported } = meeting()
    const awaited = joined.await('c', ['1'])

    const done = report(Array.from({ length: 20 }, () => receipt('1')))
    awaited.end(true)
    await done

    assert.equal(awaited.receipts.length, 16)
    assert.deepEqual(
      reported.map(({ length }) => length),
      [4],
    )
  })

  it('are reported alone if it was not stored', async () => {
    const { joined, report, reported, matches } = meeting()
    const awaited = joined.await('c', ['1'])

    const done = report([receipt('1')])
    awaited.end(false)
    await done

    assert.deepEqual([reported, matches], [[[receipt('1')]], []])
  })

  it('are named if they could not be stored alone either, and nothing else is', async () => {
    const { joined, report } = meeting(async ([event]) => {
      if (event?.kind === 'RECEIPT' && event.carrierMessageId === '1') throw stopped
    })
    const awaited = joined.await('c', ['1'])
    const [own, other] = [receipt('1'), receipt('3')]

    const done = report([own, other])
    awaited.end(false)

    await assert.rejects(done, (error) => {
      assert.ok(error instanceof EventsNotStored)
      assert.deepEqual([...error.events], [own])
      return true
    })
  })

  it('are waited for if others of their report fail', async () => {
    const lost = receipt('3')
    const { joined, report } = meeting(async () => {
      throw new EventsNotStored(new Set([lost]), stopped)
    })
    const awaited = joined.await('c', ['1'])
    const own = receipt('1')

    const done = report([own, lost, receipt('4')])
    await settle(3)
    awaited.end(true)

    await assert.rejects(done, (error) => {
      assert.ok(error instanceof EventsNotStored)
      assert.deepEqual([...error.events], [lost])
      return true
    })
  })

  it('fail as all others do that nothing is known of', async () => {
    const { joined, report } = meeting(async () => {
      throw stopped
    })
    const awaited = joined.await('c', ['1'])

    const done = report([receipt('1'), receipt('3')])
    awaited.end(true)

    await assert.rejects(done, stopped)
  })
})
