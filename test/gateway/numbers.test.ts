import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId, defaultAccount } from '../../src/core/account.ts'
import type { IncomingEvent } from '../../src/core/ports/carrier.ts'
import { Problem } from '../../src/core/problem.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { numbers } from '../../src/collections/numbers.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { giveNumber } from './support/ours.ts'
import { presentStoreKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'
import { eraseAccount } from '../support/erase-account.ts'

const ours = accountId('account_ours')
const theirs = accountId('account_theirs')
const number = '+4915100000001'

const incoming: IncomingEvent = {
  kind: 'INCOMING',
  from: '+4915112345678',
  to: number,
  body: 'hi',
  encoding: 'TEXT',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  repliesTo: null,
}

function notOurs(error: unknown): boolean {
  assert.ok(error instanceof Problem)
  const detail = 'is the number of another account: use another sender'
  assert.deepEqual([error.status, error.errors], [403, [{ pointer: '/from', detail }]])
  return true
}

function inAnHour(world: World): string {
  return timestamp(world.clock.now() + 3_600_000)
}

for (const kind of presentStoreKinds) {
  describe(`what arrives at a number (${kind})`, () => {
    it('goes to its account, whoever sent from it last', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await world.start([carrier])
      await world.post(aMessage({ from: number }), { account: theirs })
      await world.until('it is sent', async () => (await world.notifications(theirs)).length === 2)
      await giveNumber(world, number, ours)

      await carrier.report(incoming)

      assert.equal((await world.received(ours)).length, 1)
      assert.equal((await world.received(theirs)).length, 0)
    })

    it('goes to its account, whatever message the carrier says that it answers', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await world.start([carrier])
      await giveNumber(world, number, ours)
      const elsewhere = aMessage({ from: number, to: '+4915112345679' })
      await world.put('m1', elsewhere, { account: ours })
      await world.put('m1', aMessage({ from: '54321' }), { account: theirs })

      await carrier.report({ ...incoming, repliesTo: { account: theirs, messageId: 'm1' } })
      await carrier.report({
        ...incoming,
        to: '54321',
        repliesTo: { account: theirs, messageId: 'm1' },
      })

      const [message] = await world.received(ours)
      const [answer] = await world.received(theirs)
      assert.equal(message?.to, number)
      assert.equal(message?.relatedSentMessageId, null)
      assert.equal(answer?.relatedSentMessageId, 'm1')
    })

    it('finds its account in whatever form the carrier writes the address', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await world.start([carrier])
      await giveNumber(world, number, ours)

      await carrier.report({ ...incoming, to: number.slice(1) })

      assert.equal((await world.received(ours))[0]?.to, number.slice(1))
    })

    it('goes to the administrator’s account once the number is gone and nobody sent from it', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await world.start([carrier])
      await giveNumber(world, number, ours)

      await world.store.transact((tx) => eraseAccount(tx, ours))
      await carrier.report(incoming)

      assert.equal((await world.received(ours)).length, 0)
      assert.equal((await world.received(defaultAccount)).length, 1)
    })
  })

  describe(`sending from a number (${kind})`, () => {
    it('is for its own account alone', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, ours)

      const message = await world.post(aMessage({ from: '+49 151 000-00001' }), { account: ours })

      assert.equal(message.from, number)
      const post = world.post(aMessage({ from: number }), { account: theirs })
      const put = world.put('m1', aMessage({ from: number }), { account: theirs })
      await Promise.all([assert.rejects(post, notOurs), assert.rejects(put, notOurs)])
      assert.equal(await world.message('m1', theirs), null)
    })

    it('is refused to administrators as well, and where the default sender is one', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, ours)
      await giveNumber(world, 'NUNCIO', ours)

      const named = world.post(aMessage({ from: number }), { administrator: true })
      const open = world.post(aMessage(), { administrator: true })

      await assert.rejects(named, notOurs)
      await assert.rejects(open, notOurs)
    })

    it('is refused to a message that is changed to it, which then stays as it was', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, ours)
      const as = { account: theirs }
      const { id } = await world.post(aMessage({ scheduledAt: inAnHour(world) }), as)

      await assert.rejects(world.patch(id, { from: number }, as), notOurs)

      assert.equal((await world.message(id, theirs))?.from, 'NUNCIO')
      assert.deepEqual(await world.store.transact((tx) => tx.in(theirs).dequeue(id)), {
        lane: 'carrier_simulator',
        priority: 1,
      })
    })

    it('is refused to other content, not to what was accepted before it was a number', async () => {
      await using world = await openWorld(kind)
      const as = { account: theirs }
      const body = aMessage({ from: number, scheduledAt: inAnHour(world) })
      const before = await world.put('m1', body, as)
      await giveNumber(world, number, ours)

      const again = await world.put('m1', body, as)

      assert.deepEqual(again, before)
      await assert.rejects(world.patch('m1', { body: 'another' }, as), notOurs)
      const cancelled = await world.patch('m1', { status: { type: 'CANCELLED' } }, as)
      assert.equal(cancelled.status.type, 'CANCELLED')
    })

    it('does not matter to what is received', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, ours)

      const message = await world.post(aMessage({ type: 'RECEIVED', from: number }), {
        administrator: true,
      })

      assert.equal(message.from, number)
    })
  })

  describe(`the carrier of a number (${kind})`, () => {
    it('takes the messages from it that name none', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, defaultAccount, 'carrier_other')
      await giveNumber(world, '54321', defaultAccount)

      const open = await world.post(aMessage({ from: number }))
      const named = await world.post(aMessage({ from: number, carrier: 'carrier_simulator' }))
      const withoutOne = await world.post(aMessage({ from: '54321' }))
      const received = await world.post(aMessage({ type: 'RECEIVED', from: number, to: number }), {
        administrator: true,
      })

      assert.deepEqual(
        [open.carrier, named.carrier, withoutOne.carrier, received.carrier],
        ['carrier_other', 'carrier_simulator', 'carrier_simulator', null],
      )
    })

    it('takes a message that is changed to be from the number, unless it names another', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, defaultAccount, 'carrier_other')
      const scheduledAt = inAnHour(world)
      const { id } = await world.post(aMessage({ scheduledAt }))
      const { id: named } = await world.post(aMessage({ scheduledAt, carrier: 'carrier_other' }))

      const there = await world.patch(id, { from: number })
      const replaced = await world.put(id, aMessage({ scheduledAt, from: '54321' }))
      const again = await world.put(id, aMessage({ scheduledAt, from: number }))
      const back = await world.patch(id, { from: null })
      const kept = await world.patch(named, { from: '54321' })
      const open = await world.patch(named, { carrier: null })

      assert.deepEqual(
        [there, replaced, again, back, kept, open].map(({ carrier }) => carrier),
        [
          'carrier_other',
          'carrier_simulator',
          'carrier_other',
          'carrier_simulator',
          'carrier_other',
          'carrier_simulator',
        ],
      )
    })

    it('stays that of a message, whatever becomes of the number', async () => {
      await using world = await openWorld(kind)
      await giveNumber(world, number, defaultAccount, 'carrier_other')
      const before = await world.put('m1', aMessage({ from: number }))
      await world.store.transact((tx) =>
        tx.submissions.claim(world.clock.now(), world.clock.now() + 60_000, 1, {
          lane: 'carrier_other!',
          priority: 1,
        }),
      )
      await world.store.transact((tx) =>
        tx.in(defaultAccount).remove(numbers, { id: `number_${number}` }),
      )

      const again = await world.put('m1', aMessage({ from: number }))

      assert.deepEqual(again, before)
    })
  })
}
