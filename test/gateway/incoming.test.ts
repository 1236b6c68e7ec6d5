import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { blankMessage, recordNames } from '../../src/collections/messages.ts'
import { optOuts } from '../../src/collections/opt-outs.ts'
import { type AccountId, accountId, defaultAccount } from '../../src/core/account.ts'
import type { IncomingEvent } from '../../src/core/ports/carrier.ts'
import { where } from '../../src/core/ports/store.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const day = 24 * 3_600_000
const theirs = accountId('account_theirs')
const others = accountId('account_others')

const incoming: IncomingEvent = {
  kind: 'INCOMING',
  from: '+4915112345678',
  to: '12345',
  body: 'hi',
  encoding: 'TEXT',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  repliesTo: null,
}

async function open() {
  const world = await openWorld()
  const carrier = fakeCarrier()
  await world.start([carrier])
  return { world, carrier, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/** Sends from 12345 and waits until it is sent. */
async function send(world: World, fields: Parameters<typeof aMessage>[0] = {}): Promise<string> {
  const { id } = await world.post(aMessage({ from: '12345', ...fields }))
  await world.comesTo(id, 'SENT.null')
  return id
}

describe('a message from outside', () => {
  it('is cut, and says so, where it is longer than a message can be', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    const [most, more] = ['😀'.repeat(40_000), 'x'.repeat(50_000)]

    await carrier.report({ ...incoming, body: most }, { ...incoming, body: more })

    const found = await world.received()
    assert.deepEqual(
      found.map(({ body, status, history }) => [body, status.id, history[0]?.status]),
      [
        [most, 'RECEIVED.null', 'RECEIVED.null'],
        [more.slice(0, 40_000), 'RECEIVED.CUT', 'RECEIVED.CUT'],
      ],
    )
  })

  it('has an empty sender if none is named', async () => {
    await using opened = await open()
    const { world, carrier } = opened

    await carrier.report({ ...incoming, from: '', body: 'STOP' }, { ...incoming, from: '', to: '' })

    assert.deepEqual(
      (await world.received()).map(({ from, to, body }) => [from, to, body]),
      [
        ['', '12345', 'STOP'],
        ['', '', 'hi'],
      ],
    )
  })

  it('is put on record and notified', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    const date = timestamp(world.clock.now())

    await carrier.report(incoming)

    const [message] = await world.received()
    assert.ok(message)
    assert.deepEqual(message, {
      ...blankMessage,
      id: message.id,
      type: 'RECEIVED',
      from: '+4915112345678',
      to: '12345',
      body: 'hi',
      encoding: 'TEXT',
      protocolId: 0,
      messageClass: 1,
      numberOfParts: 1,
      creditCost: 0,
      submission: { id: message.submission.id, date },
      status: { id: 'RECEIVED.null', type: 'RECEIVED' },
      carrier: 'carrier_simulator',
      priority: 1,
      history: [{ status: 'RECEIVED.null', date }],
      createdAt: date,
      updatedAt: date,
    })
    assert.deepEqual(Object.keys(message), Object.keys(blankMessage))
    const [entry] = await world.notifications()
    assert.equal(entry?.type, 'RECEIVED')
    assert.deepEqual(
      Object.entries(JSON.parse(entry?.record ?? '') as object),
      Object.entries(message).slice(0, recordNames.length),
    )
  })

  it('goes to the only account that sent from the address it arrived at', async () => {
    await using opened = await open()
    const { world, carrier } = opened

    await world.post(aMessage({ from: '12345' }), { account: theirs })
    await world.until('it is sent', async () => (await world.notifications(theirs)).length === 2)
    await carrier.report(incoming)

    assert.equal((await world.received(theirs)).length, 1)
    assert.equal((await world.received()).length, 0)
  })

  it('goes to the installation if several accounts sent from it, and its STOP binds them', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    for (const account of [theirs, others]) {
      await world.post(aMessage({ from: '12345' }), { account })
      await world.until('it is sent', async () => (await world.notifications(account)).length === 2)
    }

    await carrier.report({ ...incoming, body: 'STOP' })

    const optOutsOf = (account: AccountId) =>
      world.store.read(account, (reader) => reader.list(optOuts, null, where([], 10)))
    assert.equal((await world.received(theirs)).length, 0)
    assert.equal((await world.received(others)).length, 0)
    assert.equal((await world.received(defaultAccount)).length, 1)
    assert.equal((await optOutsOf(theirs)).length, 1)
    assert.equal((await optOutsOf(others)).length, 1)
  })

  it('goes to the installation if the account that sent from it did so long ago', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    await world.post(aMessage({ from: '12345' }), { account: theirs })
    await world.until('it is sent', async () => (await world.notifications(theirs)).length === 2)

    world.clock.jump(8 * day)
    await carrier.report(incoming)

    assert.equal((await world.received(theirs)).length, 0)
    assert.equal((await world.received(defaultAccount)).length, 1)
  })

  it('goes to the account of the message that it replies to, if the carrier knows', async () => {
    await using opened = await open()
    const { world, carrier } = opened

    await send(world)
    await carrier.report({ ...incoming, repliesTo: { account: theirs, messageId: 'm1' } })

    const [message] = await world.received(theirs)
    assert.equal(message?.relatedSentMessageId, null)
  })
})

describe('the sent message that a received one answers', () => {
  it('is the latest that was sent between the two addresses', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    await send(world)
    await world.clock.advance(1000)
    const latest = await send(world)
    await world.clock.advance(1000)
    await send(world, { to: '+4915112345679' })
    await send(world, { from: '54321' })
    await world.post(aMessage({ from: '12345', scheduledAt: timestamp(world.clock.now() + day) }))

    await carrier.report(incoming)

    const [message] = await world.received()
    assert.equal(message?.relatedSentMessageId, latest)
  })

  it('was sent within seven days, whenever it was made', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    const scheduledAt = timestamp(world.clock.now() + 20 * day)
    const { id } = await world.post(aMessage({ from: '12345', scheduledAt }))
    world.clock.jump(20 * day)
    await world.clock.advance(5000)
    const sentAt = (await world.message(id))?.history.at(-1)?.date ?? ''

    world.clock.jump(Date.parse(sentAt) + 7 * day - world.clock.now())
    await carrier.report(incoming)
    world.clock.jump(1)
    await carrier.report({ ...incoming, body: 'late' })

    const related = (await world.received()).map((message) => message.relatedSentMessageId)
    assert.deepEqual(related, [id, null])
  })

  it('was not merely heard of within seven days', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    const id = await send(world)

    world.clock.jump(7 * day + 1)
    const outcome = { type: 'DELIVERED', detail: null } as const
    await carrier.report({ kind: 'RECEIPT', carrierMessageId: `${id}.1`, outcome })
    await carrier.report(incoming)

    assert.equal((await world.message(id))?.status.type, 'DELIVERED')
    assert.equal((await world.received())[0]?.relatedSentMessageId, null)
  })

  it('is the one that the carrier names, if it does', async () => {
    await using opened = await open()
    const { world, carrier } = opened
    const first = await send(world)
    await world.clock.advance(1000)
    await send(world)

    const account = accountId('account_default')
    await carrier.report({ ...incoming, repliesTo: { account, messageId: first } })

    const [message] = await world.received()
    assert.equal(message?.relatedSentMessageId, first)
  })

  it('is found for an import as well', async () => {
    await using opened = await open()
    const { world } = opened
    const id = await send(world)

    const message = await world.post(
      aMessage({ type: 'RECEIVED', from: '+4915112345678', to: '12345' }),
      { administrator: true },
    )

    assert.equal(message.relatedSentMessageId, id)
  })
})
