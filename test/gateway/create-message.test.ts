import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../src/core/json.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { recordNames, scheduleMsMax } from '../../src/collections/messages.ts'
import { isChosenId } from '../../src/core/id.ts'
import { nextDueAt } from './support/next-due.ts'
import { faults, refused } from './support/refused.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const day = 24 * 3_600_000

function inMs(world: World, ms: number): string {
  return timestamp(world.clock.now() + ms)
}

describe('a new message', () => {
  it('gets what the request leaves open, its fields in the order of the record', async () => {
    await using world = await openWorld()
    const date = timestamp(world.clock.now())

    const message = await world.post(aMessage())

    assert.deepEqual(Object.entries(message), [
      ['id', message.id],
      ['type', 'SENT'],
      ['from', 'NUNCIO'],
      ['to', '+4915112345678'],
      ['body', 'hello'],
      ['encoding', 'TEXT'],
      ['protocolId', 0],
      ['messageClass', 1],
      ['numberOfParts', 1],
      ['creditCost', 1],
      ['submission', { id: message.submission.id, date }],
      ['status', { id: 'ACCEPTED.null', type: 'ACCEPTED' }],
      ['relatedSentMessageId', null],
      ['userSuppliedId', null],
      ['scheduledAt', null],
      ['validUntil', null],
      ['carrier', 'carrier_simulator'],
      ['priority', 1],
      ['networkCode', null],
      ['history', [{ status: 'ACCEPTED.null', date }]],
      ['bodyErasedAt', null],
      ['createdAt', date],
      ['updatedAt', date],
    ])
    assert.ok(isChosenId(message.submission.id))
  })

  it('is notified with the fields of the record, in the commit that makes it', async () => {
    await using world = await openWorld()

    const message = await world.post(aMessage({ userSuppliedId: 'order 17' }))

    const [entry, ...others] = await world.notifications()
    assert.deepEqual(others, [])
    assert.equal(entry?.type, 'SENT')
    assert.equal(entry?.status, 'ACCEPTED')
    assert.equal(entry?.messageId, message.id)
    const record = Object.entries(JSON.parse(entry?.record ?? '') as object)
    assert.deepEqual(record, Object.entries(message).slice(0, recordNames.length))
  })

  it('costs one credit a part', async () => {
    await using world = await openWorld()

    const message = await world.post(aMessage({ body: 'я'.repeat(200) }))

    assert.equal(message.encoding, 'UNICODE')
    assert.equal(message.numberOfParts, 3)
    assert.equal(message.creditCost, 3)
  })

  it('for later is SCHEDULED, and due then', async () => {
    await using world = await openWorld()

    const message = await world.post(aMessage({ scheduledAt: inMs(world, 60_000) }))

    assert.equal(message.status.id, 'SCHEDULED.null')
    const dueAt = await nextDueAt(world.store)
    assert.equal(dueAt, world.clock.now() + 60_000)
  })

  it('is refused with all its faults at once', async () => {
    await using world = await openWorld()
    const wrong = {
      body: 'hello ж'.repeat(2),
      encoding: 'TEXT',
      carrier: 'pigeon',
      scheduledAt: inMs(world, 0),
      validUntil: inMs(world, -1),
    }

    await assert.rejects(
      world.post(aMessage(wrong)),
      faults(
        ['/body', /"ж" \(U\+0436\) as character 7/],
        ['/carrier', /"pigeon"/],
        ['/scheduledAt', /in the future/],
        ['/validUntil', /in the future/],
      ),
    )
    assert.deepEqual(await world.notifications(), [])
  })

  it('takes at most 10 parts, or as many as the request says', async () => {
    await using world = await openWorld()
    const long = 'a'.repeat(153 * 10 + 1)

    await assert.rejects(
      world.post(aMessage({ body: long })),
      faults(['/body', /takes 11 parts.* 10 are allowed/]),
    )
    await assert.rejects(
      world.post(aMessage({ body: 'a'.repeat(161), maxParts: 1 })),
      faults(['/body', /takes 2 parts.* 1 is allowed/]),
    )
    const message = await world.post(aMessage({ body: long, maxParts: 11 }))

    assert.equal(message.numberOfParts, 11)
  })

  it('is scheduled at most two years ahead, and valid beyond that time', async () => {
    await using world = await openWorld()

    await assert.rejects(
      world.post(aMessage({ scheduledAt: inMs(world, 733 * day) })),
      faults(['/scheduledAt', /2 years/]),
    )
    await assert.rejects(
      world.post(aMessage({ scheduledAt: inMs(world, day), validUntil: inMs(world, day) })),
      faults(['/validUntil', /after scheduledAt/]),
    )
    const message = await world.post(
      aMessage({ scheduledAt: inMs(world, 730 * day), validUntil: inMs(world, 731 * day) }),
    )

    assert.equal(message.status.type, 'SCHEDULED')
  })

  it('has times in the future, by a millisecond at least', async () => {
    await using world = await openWorld()
    const refusedFor = (fields: JsonObject, pointer: string, detail: RegExp) =>
      assert.rejects(world.post(aMessage(fields)), faults([pointer, detail]))

    await refusedFor({ validUntil: inMs(world, 0) }, '/validUntil', /in the future/)
    await refusedFor({ scheduledAt: inMs(world, 0) }, '/scheduledAt', /in the future/)
    await refusedFor({ scheduledAt: inMs(world, scheduleMsMax + 1) }, '/scheduledAt', /2 years/)
    const valid = await world.post(aMessage({ validUntil: inMs(world, 1) }))
    const later = await world.post(
      aMessage({ scheduledAt: inMs(world, 1), validUntil: inMs(world, 2) }),
    )
    const latest = await world.post(aMessage({ scheduledAt: inMs(world, scheduleMsMax) }))

    const types = [valid, later, latest].map(({ status }) => status.type)
    assert.deepEqual(types, ['ACCEPTED', 'SCHEDULED', 'SCHEDULED'])
  })

  it('takes octets in hexadecimal as BINARY', async () => {
    await using world = await openWorld()

    const message = await world.post(aMessage({ body: '0aFF', encoding: 'BINARY' }))

    assert.equal(message.body, '0aFF')
    await assert.rejects(
      world.post(aMessage({ body: '0aF', encoding: 'BINARY' })),
      faults(['/body', /hexadecimal/]),
    )
  })
})

describe('an imported received message', () => {
  const imported = aMessage({ type: 'RECEIVED', from: '+4915112345678', to: '12345' })

  it('needs an administrator’s key', async () => {
    await using world = await openWorld()

    await assert.rejects(world.post(imported), refused(403))
  })

  it('is put on record: neither sent nor notified', async () => {
    await using world = await openWorld()

    const message = await world.post(imported, { administrator: true })

    assert.equal(message.status.id, 'RECEIVED.null')
    assert.equal(message.creditCost, 0)
    assert.equal(message.carrier, null)
    assert.deepEqual(await world.notifications(), [])
    assert.equal(await nextDueAt(world.store), null)
  })

  it('needs a sender, and no times', async () => {
    await using world = await openWorld()
    const times = { scheduledAt: inMs(world, day), validUntil: inMs(world, 2 * day) }

    await assert.rejects(
      world.post(aMessage({ type: 'RECEIVED', ...times }), { administrator: true }),
      faults(['/from', /required/], ['/scheduledAt', /to be sent/], ['/validUntil', /to be sent/]),
    )
  })
})
