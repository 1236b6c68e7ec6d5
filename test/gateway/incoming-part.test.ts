import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { IncomingPartEvent } from '../../src/core/ports/carrier.ts'
import { fakeCarrier } from './support/fake-carrier.ts'
import { openWorld } from './support/world.ts'
import { presentStoreKinds } from './support/stores.ts'

const minute = 60_000

/** A part in UTF-16. */
function aPart(part: number, text: string, fields: Partial<IncomingPartEvent> = {}) {
  const octets = Buffer.from(text, 'utf16le').swap16().toString('hex')
  return {
    kind: 'INCOMING_PART',
    from: '+4915112345678',
    to: '12345',
    reference: 'udh8-7',
    total: 3,
    part,
    protocolId: 0,
    content: { dataCoding: 8, defaultCharset: 'GSM', locking: null, single: null, octets },
    ...fields,
  } as const
}

for (const kind of presentStoreKinds) {
  const open = async () => {
    const world = await openWorld(kind)
    const carrier = fakeCarrier()
    await world.start([carrier])
    const received = async () =>
      (await world.received()).map(({ body, status, numberOfParts }) => [
        body,
        status.id,
        numberOfParts,
      ])
    /** Waits until so many messages were made. */
    const comes = (count: number) =>
      world.until(`${count} came`, async () => (await received()).length === count)
    return {
      world,
      carrier,
      received,
      comes,
      [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
    }
  }

  describe(`a message from outside in parts, over ${kind}`, () => {
    for (const order of [
      [1, 2, 3],
      [3, 2, 1],
      [2, 3, 1],
    ]) {
      it(`is one message when all have come, in the order ${order}`, async () => {
        await using opened = await open()
        const texts = ['', 'один ', 'два ', 'три']

        for (const part of order) await opened.carrier.report(aPart(part, texts[part] ?? ''))

        assert.deepEqual(await opened.received(), [['один два три', 'RECEIVED.null', 3]])
        assert.equal((await opened.world.notifications()).length, 1)
      })
    }

    it('is whole where a character was split between parts', async () => {
      await using opened = await open()

      await opened.carrier.report(aPart(2, '\ude00!', { total: 2 }))
      await opened.carrier.report(aPart(1, 'a\ud83d', { total: 2 }))

      assert.deepEqual(await opened.received(), [['a😀!', 'RECEIVED.null', 2]])
    })

    it('is one message though its parts come again, before it is whole and after', async () => {
      await using opened = await open()
      const parts = [aPart(1, 'a'), aPart(1, 'a'), aPart(2, 'b'), aPart(3, 'c')]

      for (const part of [...parts, ...parts]) await opened.carrier.report(part)
      await opened.world.clock.advance(60 * minute)

      assert.deepEqual(await opened.received(), [['abc', 'RECEIVED.null', 3]])
    })

    it('is kept as it came when the rest does not come, and marked', async () => {
      await using opened = await open()

      await opened.carrier.report(aPart(3, 'c'))
      await opened.carrier.report(aPart(1, 'a'))
      await opened.world.clock.advance(29 * minute)
      const before = await opened.received()
      await opened.world.clock.advance(2 * minute)
      await opened.comes(1)

      assert.deepEqual(before, [])
      assert.deepEqual(await opened.received(), [['ac', 'RECEIVED.INCOMPLETE', 3]])
      assert.equal((await opened.world.notifications()).length, 1)
    })

    it('begins anew with a reference that was used before', async () => {
      await using opened = await open()

      for (const part of [1, 2, 3]) await opened.carrier.report(aPart(part, `${part}`))
      for (const part of [1, 2, 3]) await opened.carrier.report(aPart(part, `${part + 3}`))

      assert.deepEqual(await opened.received(), [
        ['123', 'RECEIVED.null', 3],
        ['456', 'RECEIVED.null', 3],
      ])
    })

    it('gives up an earlier one that is not whole when its reference is used again', async () => {
      await using opened = await open()

      await opened.carrier.report(aPart(1, 'x'))
      for (const part of [1, 2, 3]) await opened.carrier.report(aPart(part, `${part}`))

      assert.deepEqual(await opened.received(), [
        ['x', 'RECEIVED.INCOMPLETE', 3],
        ['123', 'RECEIVED.null', 3],
      ])
    })

    it('does not mix with those of another sender, recipient, reference or length', async () => {
      await using opened = await open()
      const others = [
        { from: '+4915100000000' },
        { to: '54321' },
        { reference: 'udh16-7' },
        { total: 4 },
      ]

      await opened.carrier.report(aPart(1, 'a'), aPart(2, 'b'))
      for (const other of others) await opened.carrier.report(aPart(3, 'no', other))
      const before = await opened.received()
      await opened.carrier.report(aPart(3, 'c'))

      assert.deepEqual(before, [])
      assert.deepEqual(await opened.received(), [['abc', 'RECEIVED.null', 3]])
    })

    it('keeps a part that comes when the others were given up', async () => {
      await using opened = await open()

      await opened.carrier.report(aPart(1, 'a'))
      await opened.world.clock.advance(31 * minute)
      await opened.comes(1)
      await opened.carrier.report(aPart(2, 'b'))
      await opened.world.clock.advance(31 * minute)
      await opened.comes(2)

      assert.deepEqual(await opened.received(), [
        ['a', 'RECEIVED.INCOMPLETE', 3],
        ['b', 'RECEIVED.INCOMPLETE', 3],
      ])
    })
  })
}
