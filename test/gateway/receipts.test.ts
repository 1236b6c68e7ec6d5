import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { accountId } from '../../src/core/account.ts'
import type { PartOutcome } from '../../src/core/ports/receipts.ts'
import { mayFollow } from '../../src/core/declaration/collection.ts'
import { messageStates, type Message } from '../../src/collections/messages.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { aMessage, openWorld } from './support/world.ts'

/** A receipt for a part, from 1. */
interface PartReceipt {
  readonly part: number
  readonly outcome: PartOutcome
}

const delivered: PartOutcome = { type: 'DELIVERED', detail: null }
const unknown: PartOutcome = { type: 'UNKNOWN', detail: null }
const failed: PartOutcome = { type: 'FAILED', detail: 'HANDSET_ERROR' }

const partReceipts = fc.record<PartReceipt>({
  part: fc.integer({ min: 1, max: 3 }),
  outcome: fc.constantFrom(delivered, delivered, unknown, failed),
})

/** Receipts in the order in which they come, and how many of them come before the message is SENT. */
const arrivals = fc
  .array(partReceipts, { maxLength: 8 })
  .chain((receipts) => fc.tuple(fc.constant(receipts), fc.nat({ max: receipts.length })))

/** What becomes of a message of as many parts. */
async function after(parts: number, receipts: readonly PartReceipt[], early = 0): Promise<Message> {
  await using world = await openWorld()
  const carrier = fakeCarrier(() => null)
  await world.start([carrier])
  const { id } = await world.post(aMessage({ body: 'a'.repeat(parts === 1 ? 1 : parts * 150) }))
  await world.until('it is handed over', () => carrier.submitted.length > 0)

  const report = ({ part, outcome }: PartReceipt): Promise<void> =>
    carrier.report({ kind: 'RECEIPT', carrierMessageId: `${id}.${part}`, outcome })
  for (const receipt of receipts.slice(0, early)) await report(receipt)
  carrier.answer()
  await world.comesTo(id, 'SENT.null')
  for (const receipt of receipts.slice(early)) await report(receipt)

  const message = await world.message(id)
  assert.ok(message)
  assert.deepEqual(
    await world.told(id),
    message.history.map(({ status }) => status),
  )
  return message
}

/** The rule in other words: what each part is known to be, then what that makes of the whole. */
function expected(parts: number, receipts: readonly PartReceipt[]): string {
  const known = Array.from({ length: parts }, (_, index) => {
    const own = receipts.filter(({ part }) => part === index + 1).map(({ outcome }) => outcome)
    return own.find(({ type }) => type !== 'UNKNOWN') ?? own[0] ?? null
  })
  if (known.includes(failed)) return 'FAILED.HANDSET_ERROR'
  if (known.includes(null)) return 'SENT.null'
  return known.includes(unknown) ? 'UNKNOWN.null' : 'DELIVERED.null'
}

describe('receipts', () => {
  it('of all parts deliver a message; one failed part fails it', async () => {
    const one = await after(1, [{ part: 1, outcome: delivered }])
    const half = await after(2, [{ part: 2, outcome: delivered }])
    const all = await after(2, [
      { part: 2, outcome: delivered },
      { part: 1, outcome: delivered },
    ])
    const mixed = await after(2, [
      { part: 2, outcome: failed },
      { part: 1, outcome: delivered },
    ])

    assert.deepEqual(
      [one, half, all, mixed].map(({ status }) => status.id),
      ['DELIVERED.null', 'SENT.null', 'DELIVERED.null', 'FAILED.HANDSET_ERROR'],
    )
  })

  it('lead to the same in any order before or after the message is SENT, and only forward', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 3 }), arrivals, async (parts, [all, early]) => {
        const receipts = all.filter(({ part }) => part <= parts)

        const message = await after(parts, receipts, early)

        assert.equal(message.status.id, expected(parts, receipts))
        const types = message.history.map(({ status }) => status.split('.')[0] as never)
        types.slice(1).forEach((type, index) => {
          assert.ok(mayFollow(messageStates, types[index] as never, type))
        })
      }),
      { numRuns: 100 },
    )
  })

  it('repeated, lead to the same', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, async ([receipts, early]) => {
        const message = await after(3, [...receipts, ...receipts], early)

        assert.equal(message.status.id, expected(3, receipts))
      }),
      { numRuns: 50 },
    )
  })

  it('of several parts may come in one report', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage({ body: 'a'.repeat(400) }))
    await world.comesTo(id, 'SENT.null')

    const part = (number: number, outcome: PartOutcome) =>
      ({ kind: 'RECEIPT', carrierMessageId: `${id}.${number}`, outcome }) as const
    await carrier.report(
      part(1, unknown),
      part(2, delivered),
      part(3, delivered),
      part(1, delivered),
    )

    assert.deepEqual((await world.told(id)).slice(-2), ['UNKNOWN.null', 'DELIVERED.null'])
  })
})

describe('a receipt that does not come', () => {
  it('leaves a message UNKNOWN, which a late one still corrects', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage({ body: 'a'.repeat(400) }))
    await world.comesTo(id, 'SENT.null')
    const receipt = (part: number) =>
      carrier.report({ kind: 'RECEIPT', carrierMessageId: `${id}.${part}`, outcome: delivered })
    await receipt(1)
    await receipt(2)

    world.clock.jump(3 * 24 * 3_600_000)
    await world.clock.advance(30_000)
    await world.comesTo(id, 'UNKNOWN.null')
    await receipt(3)

    assert.equal((await world.message(id))?.status.id, 'DELIVERED.null')
  })

  it('is not waited for where it came early and was passed over', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')
    const early = {
      carrier: carrier.id,
      carrierMessageId: `${id}.1`,
      outcome: delivered,
      code: null,
    }
    await world.store.transact(({ receipts }) =>
      receipts.match({ ...early, receivedAt: world.clock.now() }, accountId('another')),
    )

    world.clock.jump(3 * 24 * 3_600_000)
    await world.clock.advance(30_000)

    await world.comesTo(id, 'DELIVERED.null')
    assert.ok(!(await world.told(id)).includes('UNKNOWN.null'))
  })

  it('leaves many messages UNKNOWN in small transactions', async () => {
    await using world = await openWorld()
    await world.start([fakeCarrier()])
    await Promise.all(Array.from({ length: 450 }, () => world.post(aMessage())))
    const told = async (status: string): Promise<number> =>
      (await world.notifications()).filter((entry) => entry.status === status).length
    await world.until('all are sent', async () => (await told('SENT')) === 450)

    world.clock.jump(3 * 24 * 3_600_000)
    await world.clock.advance(30_000)

    await world.until('all are unknown', async () => (await told('UNKNOWN')) === 450)
  })
})

describe('a message whose receipt never came', () => {
  it('ends as UNKNOWN, however far the wall clock leaps', async () => {
    await using world = await openWorld()
    await world.start([fakeCarrier()])
    await world.clock.advance(45_000)
    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')

    // What is forgotten after a while is looked for before what is overdue.
    world.clock.jump(30 * 24 * 3_600_000)
    await world.clock.advance(120_000)

    assert.equal((await world.message(id))?.status.id, 'UNKNOWN.null')
  })
})
