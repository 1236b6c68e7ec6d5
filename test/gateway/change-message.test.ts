import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../src/core/json.ts'
import type { PartOutcome } from '../../src/core/ports/receipts.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import type { Message, StatusType } from '../../src/collections/messages.ts'
import { fakeCarrier, taken } from './support/fake-carrier.ts'
import { nextDueAt } from './support/next-due.ts'
import { faults, refused } from './support/refused.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const hour = 3_600_000

function inMs(world: World, ms: number): string {
  return timestamp(world.clock.now() + ms)
}

/** What was put under `order-17`, and what became of it. */
interface Put {
  readonly body: JsonObject
  readonly message: Message
}

/** Puts a message under `order-17` and brings it into a state. */
async function inState(world: World, type: StatusType | 'HANDED_OVER'): Promise<Put> {
  const times = { validUntil: inMs(world, 2 * hour) }
  const scheduled = { ...times, scheduledAt: inMs(world, hour) }
  const body = aMessage(type === 'SCHEDULED' || type === 'CANCELLED' ? scheduled : times)
  await world.put('order-17', body)
  await bring(world, type)
  const message = await world.message('order-17')
  assert.ok(message)
  return { body, message }
}

async function bring(world: World, type: StatusType | 'HANDED_OVER'): Promise<void> {
  if (type === 'SCHEDULED' || type === 'ACCEPTED') return
  if (type === 'CANCELLED') {
    await world.patch('order-17', { status: { type: 'CANCELLED' } })
    return
  }
  const carrier = fakeCarrier(type === 'HANDED_OVER' ? () => null : taken)
  await world.start([carrier])
  if (type === 'HANDED_OVER') {
    return world.until('it is handed over', () => carrier.submitted.length > 0)
  }
  await world.comesTo('order-17', 'SENT.null')
  if (type === 'DELIVERED' || type === 'FAILED' || type === 'UNKNOWN') {
    const outcome: PartOutcome = { type, detail: null }
    await carrier.report({ kind: 'RECEIPT', carrierMessageId: 'order-17.1', outcome })
  }
}

const waiting = ['SCHEDULED', 'ACCEPTED'] as const
const done = ['HANDED_OVER', 'SENT', 'DELIVERED', 'FAILED', 'UNKNOWN', 'CANCELLED'] as const

describe('PUT of a message', () => {
  for (const state of [...waiting, ...done]) {
    it(`repeated, changes nothing: ${state}`, async () => {
      await using world = await openWorld()
      const { body, message } = await inState(world, state)
      const told = await world.told('order-17')

      world.clock.jump(3 * hour)
      const again = await world.put('order-17', body)

      assert.deepEqual(again, message)
      assert.deepEqual(await world.message('order-17'), message)
      assert.deepEqual(await world.told('order-17'), told)
    })

    it(`of what GET gave, changes nothing: ${state}`, async () => {
      await using world = await openWorld()
      const { message } = await inState(world, state)

      world.clock.jump(3 * hour)
      const again = await world.put('order-17', message)

      assert.deepEqual(again, message)
    })
  }

  for (const state of done) {
    it(`with another body is a conflict: ${state}`, async () => {
      await using world = await openWorld()
      const { body, message } = await inState(world, state)

      await assert.rejects(world.put('order-17', { ...body, body: 'bye' }), refused(409))
      await assert.rejects(world.patch('order-17', { userSuppliedId: 'x' }), refused(409))
      assert.deepEqual(await world.message('order-17'), message)
    })
  }

  it('says the same where it spells out what was derived', async () => {
    await using world = await openWorld()
    const first = await world.put('order-17', aMessage())

    const again = await world.put(
      'order-17',
      aMessage({ from: 'NUNCIO', encoding: 'TEXT', carrier: 'carrier_simulator', type: 'SENT' }),
    )

    assert.deepEqual(again, first)
  })

  it('sends once, however often it is repeated', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])

    for (let count = 0; count < 5; count += 1) {
      await world.put('order-17', aMessage())
      await world.comesTo('order-17', 'SENT.null')
    }

    assert.equal(carrier.submitted.length, 1)
  })

  it('changes a scheduled one, which goes out as it was last', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    await world.put('order-17', aMessage({ scheduledAt: inMs(world, hour) }))

    const body = 'я'.repeat(80)
    const changed = await world.put(
      'order-17',
      aMessage({ body, scheduledAt: inMs(world, 2 * hour) }),
    )
    await world.clock.advance(2 * hour - 1)
    const early = carrier.submitted.length
    await world.clock.advance(1)
    await world.comesTo('order-17', 'SENT.null')

    assert.equal(changed.numberOfParts, 2)
    assert.equal(changed.creditCost, 2)
    assert.equal(changed.history.length, 1)
    assert.equal(early, 0)
    assert.deepEqual(
      carrier.submitted.map((message) => message.body),
      [body],
    )
    assert.deepEqual(await world.told('order-17'), ['SCHEDULED.null', 'ACCEPTED.null', 'SENT.null'])
  })

  it('without its time sends a scheduled one now', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    await world.put('order-17', aMessage({ scheduledAt: inMs(world, hour) }))

    const changed = await world.put('order-17', aMessage())
    await world.comesTo('order-17', 'SENT.null')
    await world.clock.advance(hour)

    assert.equal(changed.status.id, 'ACCEPTED.null')
    assert.equal(carrier.submitted.length, 1)
    assert.deepEqual(await world.told('order-17'), ['SCHEDULED.null', 'ACCEPTED.null', 'SENT.null'])
  })

  it('changes an accepted one that still waits, and does not schedule it', async () => {
    await using world = await openWorld()
    await world.put('order-17', aMessage())

    const later = aMessage({ scheduledAt: inMs(world, hour) })
    await assert.rejects(world.put('order-17', later), refused(409))
    await world.put('order-17', aMessage({ body: 'bye' }))
    const carrier = fakeCarrier()
    await world.start([carrier])
    await world.comesTo('order-17', 'SENT.null')

    assert.deepEqual(
      carrier.submitted.map(({ body }) => body),
      ['bye'],
    )
  })

  it('checks what it changes', async () => {
    await using world = await openWorld()
    await world.put('order-17', aMessage({ scheduledAt: inMs(world, hour) }))

    await assert.rejects(
      world.put('order-17', aMessage({ body: 'a'.repeat(2000), scheduledAt: inMs(world, -1) })),
      faults(['/body', /takes 14 parts/], ['/scheduledAt', /future/]),
    )
    const dueAt = await nextDueAt(world.store)
    assert.equal(dueAt, world.clock.now() + hour)
  })

  it('does not turn a sent message into a received one, nor change a received one', async () => {
    await using world = await openWorld()
    const as = { administrator: true }
    await world.put('sent', aMessage(), as)
    const received = await world.put('received', aMessage({ type: 'RECEIVED', from: '12345' }), as)

    await assert.rejects(world.put('sent', aMessage({ type: 'RECEIVED' }), as), refused(409))
    await assert.rejects(world.patch('received', { body: 'bye' }, as), refused(409))
    assert.deepEqual(await world.put('received', received), received)
  })
})

describe('PATCH of a message', () => {
  it('of the body chooses the encoding again', async () => {
    await using world = await openWorld()
    await world.put('order-17', aMessage({ scheduledAt: inMs(world, hour) }))

    const changed = await world.patch('order-17', { body: 'привет' })
    const back = await world.patch('order-17', { body: 'hello' })

    assert.equal(changed.encoding, 'UNICODE')
    assert.equal(back.encoding, 'TEXT')
  })

  it('keeps an encoding that was asked for', async () => {
    await using world = await openWorld()
    const scheduledAt = inMs(world, hour)
    await world.put('order-17', aMessage({ encoding: 'UNICODE', scheduledAt }))

    const changed = await world.patch('order-17', { body: 'bye' })

    assert.equal(changed.encoding, 'UNICODE')
  })

  it('keeps the most parts that were asked for', async () => {
    await using world = await openWorld()
    await world.put('order-17', aMessage({ maxParts: 1, scheduledAt: inMs(world, hour) }))

    await assert.rejects(
      world.patch('order-17', { body: 'a'.repeat(161) }),
      faults(['/body', /takes 2 parts/]),
    )
  })

  it('moves a scheduled one to another time', async () => {
    await using world = await openWorld()
    await world.put('order-17', aMessage({ scheduledAt: inMs(world, 2 * hour) }))

    await world.patch('order-17', { scheduledAt: inMs(world, hour) })

    const dueAt = await nextDueAt(world.store)
    assert.equal(dueAt, world.clock.now() + hour)
  })
})
