import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timestamp } from '../../src/core/timestamp.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { nextDueAt } from './support/next-due.ts'
import { refused } from './support/refused.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const cancelled = { status: { type: 'CANCELLED' } }
const hour = 3_600_000

function inAnHour(world: World): string {
  return timestamp(world.clock.now() + hour)
}

describe('cancelling a message', () => {
  it('keeps the record of a scheduled one, which is never sent', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage({ scheduledAt: inAnHour(world) }))

    const message = await world.patch(id, cancelled)
    await world.clock.advance(2 * hour)

    assert.deepEqual(message.status, { id: 'CANCELLED.null', type: 'CANCELLED' })
    assert.deepEqual(
      message.history.map(({ status }) => status),
      ['SCHEDULED.null', 'CANCELLED.null'],
    )
    assert.deepEqual(await world.message(id), message)
    assert.deepEqual(await world.told(id), ['SCHEDULED.null', 'CANCELLED.null'])
    assert.equal(carrier.submitted.length, 0)
  })

  it('works for an accepted one that waits', async () => {
    await using world = await openWorld()
    const { id } = await world.post(aMessage())

    const message = await world.patch(id, cancelled)
    const carrier = fakeCarrier()
    await world.start([carrier])
    await world.clock.advance(hour)

    assert.equal(message.status.id, 'CANCELLED.null')
    assert.equal(carrier.submitted.length, 0)
  })

  it('works for one that its carrier put off', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => ({ kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' }))
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is put off', () => carrier.submitted.length > 0)
    await world.clock.advance(0)

    await world.patch(id, cancelled)
    await world.clock.advance(hour)

    assert.equal(carrier.submitted.length, 1)
  })

  it('is too late once it is being handed over', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is handed over', () => carrier.submitted.length > 0)

    await assert.rejects(world.patch(id, cancelled), refused(409))
    carrier.answer()
    await world.comesTo(id, 'SENT.null')
    await assert.rejects(world.patch(id, cancelled), refused(409))
  })

  it('again changes nothing', async () => {
    await using world = await openWorld()
    const { id } = await world.post(aMessage())
    const message = await world.patch(id, cancelled)

    const again = await world.patch(id, cancelled)

    assert.deepEqual(again, message)
    assert.equal((await world.told(id)).length, 2)
  })

  it('is the only status that a client can ask for', async () => {
    await using world = await openWorld()
    const message = await world.post(aMessage())

    await assert.rejects(world.patch(message.id, { status: { type: 'DELIVERED' } }), refused(409))
    await assert.rejects(world.patch(message.id, { status: { type: 7 } }), refused(400))
    await assert.rejects(
      world.patch(message.id, { status: { id: 'CANCELLED.null' } }),
      refused(400),
    )
    await assert.rejects(world.patch(message.id, { status: 'CANCELLED' }), refused(400))
    assert.deepEqual(await world.patch(message.id, { status: message.status }), message)
    assert.deepEqual(await world.patch(message.id, { status: null }), message)
    assert.deepEqual(await world.put(message.id, { ...message, ...cancelled }), message)
  })

  it('takes the whole message back with the other status, but no other change', async () => {
    await using world = await openWorld()
    const message = await world.post(aMessage())

    await assert.rejects(world.patch(message.id, { body: 'bye', ...cancelled }), refused(409))
    const after = await world.patch(message.id, { ...message, ...cancelled })

    assert.equal(after.status.type, 'CANCELLED')
  })
})

describe('deleting a message', () => {
  it('that waits, means that it is never sent', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    const { id } = await world.post(aMessage())
    const scheduled = await world.post(aMessage({ scheduledAt: inAnHour(world) }))

    await world.remove(id)
    await world.remove(scheduled.id)
    await world.start([carrier])
    await world.clock.advance(2 * hour)

    assert.equal(carrier.submitted.length, 0)
    assert.equal(await nextDueAt(world.store), null)
  })

  it('that is being handed over, keeps it away when the carrier answers', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is handed over', () => carrier.submitted.length > 0)

    await world.remove(id)
    carrier.answer()
    await world.clock.advance(2 * hour)

    assert.equal(await world.message(id), null)
    assert.deepEqual(await world.told(id), ['ACCEPTED.null'])
    assert.equal(carrier.submitted.length, 1)
  })

  it('frees its identifier: what comes next under it is sent, and not mistaken for it', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])
    await world.put('order-17', aMessage())
    await world.until('it is handed over', () => carrier.submitted.length === 1)

    await world.remove('order-17')
    await world.put('order-17', aMessage({ body: 'bye' }))
    await world.until('the next is handed over', () => carrier.submitted.length === 2)
    carrier.answer({ kind: 'REJECTED', detail: 'REJECTED' })
    await world.clock.advance(0)
    const between = await world.message('order-17')
    carrier.answer()
    await world.comesTo('order-17', 'SENT.null')

    assert.equal(between?.status.id, 'ACCEPTED.null')
    assert.equal(between?.history.length, 1)
    assert.equal(carrier.submitted[1]?.body, 'bye')
  })

  it('keeps its receipts from what comes next under its identifier', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])
    for (const carrierMessageIds of [['one'], ['two']]) {
      if (carrierMessageIds[0] === 'two') await world.remove('order-17')
      const before = carrier.submitted.length
      await world.put('order-17', aMessage())
      await world.until('it is handed over', () => carrier.submitted.length > before)
      carrier.answer({ kind: 'SUBMITTED', carrierMessageIds })
      await world.comesTo('order-17', 'SENT.null')
      await world.clock.advance(0)
    }

    const outcome = { type: 'DELIVERED', detail: null } as const
    await carrier.report({ kind: 'RECEIPT', carrierMessageId: 'one', outcome })

    assert.equal((await world.message('order-17'))?.status.id, 'SENT.null')
  })

  it('that was sent, ignores its receipts', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')

    await world.remove(id)
    const outcome = { type: 'DELIVERED', detail: null } as const
    await carrier.report({ kind: 'RECEIPT', carrierMessageId: `${id}.1`, outcome })

    assert.equal(await world.message(id), null)
    assert.equal((await world.told(id)).at(-1), 'SENT.null')
  })
})
