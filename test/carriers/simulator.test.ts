import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import type { Carrier } from '../../src/core/ports/carrier.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { simulator } from '../../src/carriers/simulator/simulator.ts'
import { aMessage, openWorld, type World } from '../gateway/support/world.ts'

const number = (magic: number): string => `+1000000000${magic}`

/** A simulator that delivers after 200 ms. */
function simulatorIn({ clock, newId }: World, delayMs = 200): Carrier {
  return simulator({ id: 'carrier_simulator', delayMs, clock, newId, log: () => {} })
}

describe('the simulator', () => {
  it('delivers a message after its delay', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])

    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')
    await world.clock.advance(199)
    const before = await world.told(id)
    await world.clock.advance(1)
    await world.comesTo(id, 'DELIVERED.null')

    assert.deepEqual(before, ['ACCEPTED.null', 'SENT.null'])
    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'SENT.null', 'DELIVERED.null'])
  })

  it('with a delay of 0 delivers at once', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world, 0)])

    const { id } = await world.post(aMessage({ body: 'long '.repeat(100) }))
    await world.clock.advance(1)
    await world.comesTo(id, 'DELIVERED.null')

    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'SENT.null', 'DELIVERED.null'])
  })

  it('…01 cannot be reached', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])

    const { id } = await world.post(aMessage({ to: number(1) }))
    await world.comesTo(id, 'SENT.null')
    await world.clock.advance(200)

    await world.comesTo(id, 'FAILED.UNDELIVERABLE')
  })

  it('…02 is refused at submission', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])

    const { id } = await world.post(aMessage({ to: number(2) }))
    await world.comesTo(id, 'FAILED.REJECTED')

    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'FAILED.REJECTED'])
  })

  it('…03 never gets a receipt: it is UNKNOWN when its validity ends', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])
    const validUntil = timestamp(world.clock.now() + 12_345)

    const { id } = await world.post(aMessage({ to: number(3), validUntil }))
    await world.comesTo(id, 'SENT.null')
    await world.clock.advance(12_344)
    const before = await world.told(id)
    await world.clock.advance(1)
    await world.comesTo(id, 'UNKNOWN.null')

    assert.equal(before.at(-1), 'SENT.null')
  })

  it('…03 without a validity is UNKNOWN after three days', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])

    const { id } = await world.post(aMessage({ to: number(3) }))
    await world.comesTo(id, 'SENT.null')
    world.clock.jump(3 * 24 * 3_600_000 - 60_000)
    await world.clock.advance(59_000)
    const before = await world.told(id)
    await world.clock.advance(1000)
    await world.comesTo(id, 'UNKNOWN.null')

    assert.equal(before.at(-1), 'SENT.null')
  })

  it('…04 replies with the same text, to the account that wrote', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])
    const account = accountId('account_theirs')
    const body = 'Grüße, 😀 '.repeat(20)

    const { id } = await world.post(aMessage({ to: number(4), body, from: '12345' }), { account })
    await world.until('it is sent', async () => (await world.notifications(account)).length === 2)
    await world.clock.advance(200)
    await world.until('a reply', async () => (await world.received(account)).length > 0)

    const [reply, ...others] = await world.received(account)
    assert.deepEqual(others, [])
    assert.equal(reply?.from, number(4))
    assert.equal(reply?.to, '12345')
    assert.equal(reply?.body, body)
    assert.equal(reply?.encoding, 'UNICODE')
    assert.equal(reply?.numberOfParts, 3)
    assert.equal(reply?.status.id, 'RECEIVED.null')
    assert.equal(reply?.relatedSentMessageId, id)
    assert.deepEqual(await world.received(), [])
    const last = (await world.notifications(account)).slice(-2)
    assert.deepEqual(last.map(({ type }) => type).toSorted(), ['RECEIVED', 'SENT'])
  })

  it('…05 delivers after 30 seconds', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])

    const { id } = await world.post(aMessage({ to: number(5) }))
    await world.comesTo(id, 'SENT.null')
    await world.clock.advance(29_999)
    const before = await world.told(id)
    await world.clock.advance(1)
    await world.comesTo(id, 'DELIVERED.null')

    assert.equal(before.at(-1), 'SENT.null')
  })

  it('…06 gives its receipts twice and out of order: it is told once that it is delivered', async () => {
    await using world = await openWorld()
    await world.start([simulatorIn(world)])

    const { id } = await world.post(aMessage({ to: number(6) }))
    await world.comesTo(id, 'SENT.null')
    await world.clock.advance(10_000)

    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'SENT.null', 'DELIVERED.null'])
  })
})
