import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { messages } from '../../src/collections/messages.ts'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { alone } from '../../src/core/ports/nodes.ts'
import { gateway } from '../../src/gateway/gateway.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { fixedCarriers } from './support/fixed-carriers.ts'
import { fakeCarrier, taken } from './support/fake-carrier.ts'
import { nextDueAt } from './support/next-due.ts'
import { presentStoreKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const minute = 60_000

function inMs(world: World, ms: number): string {
  return timestamp(world.clock.now() + ms)
}

describe('handing messages over', () => {
  it('gives the carrier all that it needs', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    const validUntil = inMs(world, minute)

    const { id } = await world.post(
      aMessage({
        from: '12345',
        protocolId: 64,
        messageClass: 0,
        validUntil,
        body: 'я'.repeat(71),
      }),
    )
    await world.comesTo(id, 'SENT.null')

    const { isRecalled } = carrier.submitted[0] ?? {}
    assert.equal(isRecalled?.(), false)
    assert.deepEqual(carrier.submitted, [
      {
        isRecalled,
        account: 'account_default',
        id,
        from: '12345',
        to: '+4915112345678',
        body: 'я'.repeat(71),
        encoding: 'UNICODE',
        protocolId: 64,
        messageClass: 0,
        numberOfParts: 2,
        priority: 1,
        userSuppliedId: null,
        validUntil: world.clock.now() + minute,
        correlation: null,
      },
    ])
  })

  it('takes a scheduled message at its time, not before', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])

    const { id } = await world.post(aMessage({ scheduledAt: inMs(world, 90_001) }))
    await world.clock.advance(90_000)
    const early = carrier.submitted.length
    await world.clock.advance(1)
    await world.comesTo(id, 'SENT.null')

    assert.equal(early, 0)
    assert.deepEqual(await world.told(id), ['SCHEDULED.null', 'ACCEPTED.null', 'SENT.null'])
  })

  it('hands over what it has accepted when the wall clock is set back', async () => {
    await using world = await openWorld()
    let isBusy = true
    const carrier = fakeCarrier((message) => {
      const busy = { kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' } as const
      return isBusy ? busy : taken(message)
    })
    await world.start([carrier])

    const before = await world.post(aMessage())
    await world.clock.advance(0)
    world.clock.jump(-60 * minute)
    const after = await world.post(aMessage())
    isBusy = false
    await world.clock.advance(5000)

    await world.comesTo(before.id, 'SENT.null')
    await world.comesTo(after.id, 'SENT.null')
  })

  it('keeps a schedule when the wall clock is set back', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])
    world.clock.jump(-60 * minute)

    const { id } = await world.post(aMessage({ scheduledAt: inMs(world, 10 * minute) }))
    await world.clock.advance(10 * minute - 1)
    const early = carrier.submitted.length
    await world.clock.advance(minute + 1)

    assert.equal(early, 0)
    await world.comesTo(id, 'SENT.null')
  })

  it('keeps a schedule when the wall clock jumps ahead', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await world.start([carrier])

    const { id } = await world.post(aMessage({ scheduledAt: inMs(world, 60 * minute) }))
    await world.clock.advance(0)
    world.clock.jump(60 * minute)
    await world.clock.advance(5000)

    await world.comesTo(id, 'SENT.null')
  })

  it('fails what its carrier refuses', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => ({ kind: 'REJECTED', detail: 'BLOCKED' }))
    await world.start([carrier])

    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'FAILED.BLOCKED')
    await world.clock.advance(10 * minute)

    assert.equal(carrier.submitted.length, 1)
  })

  it('comes back to a busy carrier, spread out', async () => {
    await using world = await openWorld()
    let busy = true
    const carrier = fakeCarrier((message) =>
      busy ? { kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' } : taken(message),
    )
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is refused', () => carrier.submitted.length === 1)
    busy = false
    await world.clock.advance(999)
    const early = carrier.submitted.length
    await world.clock.advance(251)
    await world.comesTo(id, 'SENT.null')

    assert.equal(early, 1)
    assert.equal((await world.message(id))?.history.length, 2)
  })

  it('fails a message as EXPIRED when its validity ends before it is taken', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => ({ kind: 'BUSY', retryAfterMs: 7000, reason: 'throttled' }))
    await world.start([carrier])

    const { id } = await world.post(aMessage({ validUntil: inMs(world, 10_000) }))
    await world.clock.advance(20_000)

    await world.comesTo(id, 'FAILED.EXPIRED')
    assert.equal(carrier.submitted.length, 2)
  })

  it('hands over until the last millisecond of the validity, and not when it is over', async () => {
    await using world = await openWorld()
    const busy = { kind: 'BUSY', retryAfterMs: 7000, reason: 'throttled' } as const
    const [early, late] = [
      await world.post(aMessage({ validUntil: inMs(world, 10_001) })),
      await world.post(aMessage({ validUntil: inMs(world, 10_000) })),
    ]
    world.clock.jump(10_000)
    const carrier = fakeCarrier(() => busy)
    await world.start([carrier])

    await world.comesTo(late.id, 'FAILED.EXPIRED')
    await world.until('the other is handed over', () => carrier.submitted.length > 0)

    assert.deepEqual(
      carrier.submitted.map(({ id }) => id),
      [early.id],
    )
  })

  it('gives up after three days', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => ({ kind: 'BUSY', retryAfterMs: minute, reason: 'down' }))
    await world.start([carrier])

    const { id } = await world.post(aMessage())
    await world.clock.advance(minute)
    world.clock.jump(3 * 24 * 60 * minute)
    await world.clock.advance(2 * minute)

    await world.comesTo(id, 'FAILED.NOT_SENT')
  })

  it('keeps a message whose carrier is not there, until it is', async () => {
    await using world = await openWorld()
    const gateway = await world.start([])
    const { id } = await world.post(aMessage({ carrier: 'carrier_other' }))
    await world.clock.advance(minute)
    await gateway[Symbol.asyncDispose]()

    await world.start([fakeCarrier(taken, 'carrier_other')])
    await world.clock.advance(minute)

    await world.comesTo(id, 'SENT.null')
  })

  it('takes a carrier that throws for one that does not know', async () => {
    await using world = await openWorld()
    let broken = true
    const carrier = fakeCarrier((message) => {
      if (broken) throw new Error('a fault of the carrier')
      return taken(message)
    })
    await world.start([carrier])
    const { id } = await world.post(aMessage())
    await world.until('it is logged', () => world.logged.includes('warn message not submitted'))
    broken = false
    await world.clock.advance(70_000)

    await world.comesTo(id, 'SENT.null')
    assert.equal((await world.message(id))?.history[1]?.status, 'ACCEPTED.RESUBMITTED')
  })

  it('gives a carrier that does not answer its signal before the claim runs out', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    await world.start([carrier])

    const { id } = await world.post(aMessage())
    await world.until('it is handed over', () => carrier.submitted.length === 1)
    await world.clock.advance(59_000)
    const within = carrier.submitted.length
    await world.clock.advance(10_000)

    assert.equal(within, 1)
    assert.equal(carrier.submitted.length, 2)
    assert.equal((await world.message(id))?.history.at(-1)?.status, 'ACCEPTED.RESUBMITTED')
  })

  it('has at most 1,000 messages with the carriers at once', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    await Promise.all(Array.from({ length: 1100 }, () => world.post(aMessage())))
    await world.start([carrier])
    await world.until('1,000 are handed over', () => carrier.submitted.length >= 1000)
    await world.clock.advance(10_000)
    const atOnce = carrier.submitted.length

    for (let count = 0; count < 150; count += 1) carrier.answer()
    await world.until('the rest follow', () => carrier.submitted.length === 1100)

    assert.equal(atOnce, 1000)
  })

  it('keeps the order in which messages were accepted while the carrier has no room', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier(() => null)
    const limits = { inFlight: 1 }
    const carriers = fixedCarriers(world.store, [carrier], { [carrier.id]: { limits } })
    await world.start([carrier], { carriers })

    const bodies = ['first', 'second', 'third']
    for (const body of bodies) {
      await world.post(aMessage({ body }))
      await world.clock.advance(1)
    }
    for (const number of [1, 2, 3]) {
      await world.until(`${number} are submitted`, () => carrier.submitted.length === number)
      if (number === 1) await world.post(aMessage({ body: 'fourth' }))
      carrier.answer()
    }
    await world.until('the last is submitted', () => carrier.submitted.length === 4)

    assert.deepEqual(
      carrier.submitted.map(({ body }) => body),
      [...bodies, 'fourth'],
    )
  })

  it('holds on to outcomes while the store is away', async () => {
    await using world = await openWorld()
    let away = false
    const store: World['store'] = {
      ...world.store,
      transact: (work) =>
        away ? Promise.reject(new StoreUnavailable('away')) : world.store.transact(work),
    }
    const carrier = fakeCarrier(() => null)
    const { clock, newId } = world
    const given = { store, carriers: fixedCarriers(store, [carrier]), clock, newId, log: () => {} }
    await using _ = gateway({ ...given, random: seededRandom(1) })
    await _.start()
    const { id } = await world.post(aMessage())
    await world.until('it is handed over', () => carrier.submitted.length === 1)

    away = true
    carrier.answer()
    await clock.advance(30_000)
    away = false
    await clock.advance(1000)

    await world.comesTo(id, 'SENT.null')
    await clock.advance(2 * minute)
    assert.equal(carrier.submitted.length, 1)
  })

  it('gives back what it claimed before it stood still, and hands it over once', async () => {
    await using world = await openWorld()
    const { clock, newId } = world
    let isPaused = true
    const store: World['store'] = {
      ...world.store,
      transact: async (work) => {
        const result = await world.store.transact(work)
        const [left] = await world.store.transact(({ submissions }) =>
          submissions.waiting(clock.now()),
        )
        if (isPaused && left !== undefined && left.dueAt > clock.now()) {
          isPaused = false
          await clock.advance(20_000)
        }
        return result
      },
    }
    const { id } = await world.post(aMessage())
    const carrier = fakeCarrier()
    const given = { store, carriers: fixedCarriers(store, [carrier]), clock, newId, log: () => {} }
    await using _ = gateway({ ...given, random: seededRandom(1) })

    await _.start()
    await world.comesTo(id, 'SENT.null')
    await clock.advance(2 * minute)

    assert.equal(isPaused, false)
    assert.equal(carrier.submitted.length, 1)
    assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'SENT.null'])
  })

  it('gives back what it claimed while others may have thought that this node had gone', async () => {
    await using world = await openWorld()
    let asked = 0
    const submittedBefore: number[] = []
    const carrier = fakeCarrier()
    const isHeldSince = (): boolean => {
      asked += 1
      if (asked < 4) submittedBefore.push(carrier.submitted.length)
      return asked >= 4
    }
    const { id } = await world.post(aMessage())

    await world.start([carrier], { members: { ...alone('node_1'), isHeldSince } })
    await world.comesTo(id, 'SENT.null')

    assert.deepEqual(submittedBefore, [0, 0, 0])
    assert.equal(carrier.submitted.length, 1)
  })

  for (const kind of presentStoreKinds) {
    it(`hands scheduled ones over at their times, each (${kind})`, async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await world.start([carrier])
      for (const seconds of [1, 2, 3]) {
        await world.post(aMessage({ scheduledAt: inMs(world, seconds * 1000) }))
      }

      for (const seconds of [1, 2, 3]) {
        await world.clock.advance(1000)
        await world.until(`${seconds} are there`, () => carrier.submitted.length === seconds)
      }
    })
  }

  it('retries a submission whose message is not visible, and ends it after an hour', async () => {
    await using world = await openWorld()
    const { id } = await world.post(aMessage())
    await world.store.transact(async (transaction) => {
      const writer = transaction.in(defaultAccount)
      const place = await writer.dequeue(id)
      await writer.remove(messages, { id })
      await writer.enqueue(id, world.clock.now(), place ?? assert.fail())
    })
    const carrier = fakeCarrier()

    await world.start([carrier])
    await world.clock.advance(0)

    assert.equal(carrier.submitted.length, 0)
    assert.ok((await nextDueAt(world.store)) !== null)

    for (let minute = 0; minute < 90; minute += 1) await world.clock.advance(60_000)

    assert.equal(carrier.submitted.length, 0)
    assert.equal(await nextDueAt(world.store), null)
    assert.deepEqual(world.logged, ['error submissions failed without messages'])
  })
})
