import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CarrierCondition } from '../../src/core/ports/carrier.ts'
import { defaultAccount } from '../../src/core/account.ts'
import type { Store } from '../../src/core/ports/store.ts'
import type { QueueKey } from '../../src/core/ports/submissions.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { simulatorId } from '../../src/collections/carriers.ts'
import { gateway, type GatewayOptions } from '../../src/gateway/gateway.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { settle } from '../support/virtual-clock.ts'
import { fakeCarrier, taken, type FakeCarrier } from './support/fake-carrier.ts'
import { fixedCarriers } from './support/fixed-carriers.ts'
import { addOptOut } from './support/ours.ts'
import { storeKinds } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const somebody = '+4915112345678'
const skip = await noPostgres()
const here: QueueKey = { lane: simulatorId, priority: 1 }

/** Starts a gateway over which messages go at once, and waits until it knows that nothing is due. */
async function start(
  world: World,
  carrier: FakeCarrier,
  inFlight = 1000,
  options: Partial<GatewayOptions> = {},
): Promise<void> {
  const carriers = fixedCarriers(world.store, [carrier], {
    [simulatorId]: { limits: { inFlight } },
  })
  await world.start([carrier], { direct: world.direct, carriers, ...options })
  await settle()
}

/** Commits that made a message due, and so woke up who claims. */
function wakeUps({ store }: World): readonly number[] {
  const seen: number[] = []
  store.onCommit(({ submissionDueAt }) => {
    if (submissionDueAt !== null) seen.push(submissionDueAt)
  })
  return seen
}

/** Whether a message could go at once now. Nothing goes. */
function isOpen({ direct }: World, place = here): boolean {
  const ticket = direct.take(place)
  ticket?.ended(null)
  return ticket !== null
}

/** A message that is claimed to go at once, in a transaction that ends when the test says so. */
async function taking(world: World): Promise<{ readonly id: string; readonly ended: () => void }> {
  const scheduledAt = timestamp(world.clock.now() + 1000)
  const { id } = await world.post(aMessage({ scheduledAt }))
  const message = await world.message(id)
  const ticket = world.direct.take(here)
  assert.ok(message && ticket)
  await world.store.transact(async (tx) => {
    await tx.in(defaultAccount).dequeue(id)
    await tx.in(defaultAccount).enqueueClaimed(id, ticket.claimant, here, null)
  })
  const kept = { message: { ...message, carrier: simulatorId }, hidden: null, doc: '' }
  const ended = (): void => ticket.ended({ account: defaultAccount, kept, attempt: 0 })
  return { id, ended }
}

for (const kind of storeKinds) {
  describe(`a message for whose carrier nothing waits (${kind})`, () => {
    it('goes when it is durable, and wakes nobody', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await start(world, carrier)
      const woken = wakeUps(world)

      const { id } = await world.post(aMessage())
      await world.comesTo(id, 'SENT.null')

      assert.deepEqual(woken, [])
      assert.deepEqual(
        carrier.submitted.map((message) => message.id),
        [id],
      )
      const message = await world.message(id)
      assert.deepEqual(
        message?.history.map(({ status }) => status),
        ['ACCEPTED.null', 'SENT.null'],
      )
      assert.deepEqual(await world.store.transact((tx) => tx.submissions.waiting()), [])
    })

    it('has it known before who sends from there', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier(() => null)
      await start(world, carrier)

      await world.post(aMessage({ from: '+49151000' }))
      await world.until('it is handed over', () => carrier.submitted.length > 0)

      const sender = await world.store.transact((tx) => tx.everywhere.lastSender('+49151000'))
      assert.equal(sender, defaultAccount)
    })

    it('is not handed over to one who has opted out', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await addOptOut(world, { address: somebody, sender: null })
      await start(world, carrier, 1)

      const blocked = await world.post(aMessage())
      await world.comesTo(blocked.id, 'FAILED.BLOCKED')
      const other = await world.post(aMessage({ to: '+4915100000000' }))
      await world.comesTo(other.id, 'SENT.null')

      assert.equal(carrier.submitted.length, 1)
      assert.deepEqual(await world.store.transact((tx) => tx.submissions.waiting()), [])
    })

    it('waits where its carrier takes no more, and is overtaken by none', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier(() => null)
      await start(world, carrier, 1)

      const bodies = ['first', 'second', 'third']
      for (const body of bodies) await world.post(aMessage({ body }))
      for (const number of [1, 2, 3]) {
        await world.until(`${number} are handed over`, () => carrier.submitted.length === number)
        assert.equal(isOpen(world), false)
        carrier.answer()
        if (number === 1) await world.post(aMessage({ body: 'fourth' }))
      }
      await world.until('the last is handed over', () => carrier.submitted.length === 4)

      assert.deepEqual(
        carrier.submitted.map(({ body }) => body),
        [...bodies, 'fourth'],
      )
      carrier.answer()
      await world.clock.advance(5000)
      assert.equal(isOpen(world), true)
    })

    it('goes while it is still being written that the one before it was taken', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier()
      await start(world, carrier, 1, { gatherMs: 5 })
      const woken = wakeUps(world)

      const first = await world.post(aMessage())
      await settle()
      const second = await world.post(aMessage())
      await settle()
      const begun = [carrier.submitted.length, (await world.message(first.id))?.status.id]
      await world.clock.advance(5)
      await world.comesTo(second.id, 'SENT.null')

      assert.deepEqual([begun, woken], [[2, 'ACCEPTED.null'], []])
    })

    it('gives its room back where it is not made after all', async () => {
      await using world = await openWorld(kind)
      const carrier = fakeCarrier(() => null)
      await start(world, carrier, 1)

      const failing = world.store.transact(async (tx) => {
        const ticket = world.direct.take(here)
        assert.ok(ticket)
        tx.onEnd((isDurable) => assert.equal(isDurable, false))
        tx.onEnd(() => ticket.ended(null))
        assert.equal(isOpen(world), false)
        throw new Error('changed my mind')
      })

      await assert.rejects(failing, /changed my mind/)
      await world.post(aMessage())
      await world.until('the next is handed over', () => carrier.submitted.length === 1)
    })

    it('is uncertain where the process dies before its outcome is written', async () => {
      await using world = await openWorld(kind)
      const lost = fakeCarrier(() => null)
      let isDead = false
      const store: Store = {
        ...world.store,
        transact: (work) => (isDead ? new Promise(() => {}) : world.store.transact(work)),
        onCommit: (listener) => world.store.onCommit((commit) => isDead || listener(commit)),
      }
      const { clock, newId, direct } = world
      const carriers = fixedCarriers(store, [lost])
      const random = seededRandom(1)
      void gateway({ store, carriers, clock, newId, direct, random, log: () => {} }).start()
      await settle()
      const { id } = await world.post(aMessage())
      await world.until('it is handed over', () => lost.submitted.length === 1)
      isDead = true

      const carrier = fakeCarrier()
      await world.start([carrier])
      await world.clock.advance(65_000)
      await world.comesTo(id, 'SENT.null')

      const message = await world.message(id)
      assert.deepEqual(
        message?.history.map(({ status }) => status),
        ['ACCEPTED.null', 'ACCEPTED.RESUBMITTED', 'SENT.null'],
      )
    })

    it('is handed over again when its claim runs out without an answer', async () => {
      await using world = await openWorld(kind)
      let answers = 0
      const carrier = fakeCarrier((message) => {
        answers += 1
        return answers === 1 ? { kind: 'UNCERTAIN', reason: 'no answer' } : taken(message)
      })
      await start(world, carrier)

      const { id } = await world.post(aMessage())
      await world.clock.advance(59_000)
      const early = carrier.submitted.length
      await world.clock.advance(1500)
      await world.comesTo(id, 'SENT.null')

      assert.deepEqual([early, carrier.submitted.length], [1, 2])
    })
  })
}

describe('messages that go at once', () => {
  it('are none that have a sender with a rate, or no carrier, or one that is not there', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    await start(world, carrier)

    const lanes = [`${simulatorId} NUNCIO`, '', 'carrier_other']
    const open = lanes.map((lane) => isOpen(world, { ...here, lane }))

    assert.deepEqual(open, [false, false, false])
    assert.equal(isOpen(world), true)
  })

  it('are none before the queue was looked at, and none when the gateway stops', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    const { id } = await world.post(aMessage())
    const made = await world.start([carrier], { direct: world.direct })
    const before = isOpen(world)
    await world.comesTo(id, 'SENT.null')
    const between = isOpen(world)
    await made[Symbol.asyncDispose]()

    assert.deepEqual([before, between, isOpen(world)], [false, true, false])
  })

  it('are given back where the gateway stops before they are durable', async () => {
    await using world = await openWorld()
    const carrier = fakeCarrier()
    const made = await world.start([carrier], { direct: world.direct })
    await settle()
    const { ended } = await taking(world)
    await made[Symbol.asyncDispose]()

    ended()
    await settle()

    const now = world.clock.now()
    const [again] = await world.store.transact((tx) =>
      tx.submissions.claim(now, now + 60_000, 9, here),
    )
    assert.deepEqual([again?.attempt, again?.uncertain], [1, false])
    assert.deepEqual(carrier.submitted, [])
  })

  it('wait in the queue where their carrier is lost before they are durable', async () => {
    await using world = await openWorld()
    const made = fakeCarrier()
    let state: CarrierCondition['state'] = 'BOUND'
    const carrier = { ...made, condition: () => ({ ...made.condition(), state }) }
    await start(world, carrier)
    const { id, ended } = await taking(world)

    state = 'DOWN'
    ended()
    await settle()
    const meanwhile = made.submitted.length
    state = 'BOUND'
    await world.clock.advance(600)
    await world.comesTo(id, 'SENT.null')

    assert.deepEqual([meanwhile, made.submitted.length], [0, 1])
    const message = await world.message(id)
    assert.deepEqual(
      message?.history.map(({ status }) => status),
      ['SCHEDULED.null', 'ACCEPTED.null', 'SENT.null'],
    )
  })

  it('are none over a store that other nodes write', { skip }, async () => {
    await using world = await openWorld('postgres')
    const carrier = fakeCarrier()
    await world.start([carrier], { direct: world.direct })

    const { id } = await world.post(aMessage())
    await world.comesTo(id, 'SENT.null')

    assert.equal(isOpen(world), false)
  })
})
