import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId, type AccountId } from '../../src/core/account.ts'
import type { IncomingEvent, SubmitOutcome } from '../../src/core/ports/carrier.ts'
import { timestamp } from '../../src/core/timestamp.ts'
import { fakeCarrier, taken, type FakeCarrier } from './support/fake-carrier.ts'
import { nextDueAt } from './support/next-due.ts'
import { addOptOut, giveNumber, optOutsOf } from './support/ours.ts'
import { storeKinds, type StoreKind } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const hour = 3_600_000
const theirs = accountId('account_theirs')
const somebody = '+4915112345678'
const number = '12345'
const stopped = [somebody, number, 'KEYWORD'] as const

const incoming: IncomingEvent = {
  kind: 'INCOMING',
  from: somebody,
  to: number,
  body: 'STOP',
  encoding: 'TEXT',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  repliesTo: null,
}

const stopWords = [
  'STOP',
  'STOPALL',
  'UNSUBSCRIBE',
  'CANCEL',
  'END',
  'QUIT',
  'REVOKE',
  'OPTOUT',
  'stop',
  'Stop',
  ' \t stOp\n',
  '\u00a0STOP\r\n',
]

const nearMisses = [
  'please stop',
  'STOP!',
  'stopp',
  'STOP.',
  '"STOP"',
  'S T O P',
  'STOP ALL',
  'STOP\nSTOP',
  'OPT-OUT',
  'OPT OUT',
  'ſtop',
  'ＳＴＯＰ',
  'stоp',
  '',
  ' ',
  'START STOP',
  'no',
  '53544f50',
]

const busy: SubmitOutcome = { kind: 'BUSY', retryAfterMs: 1000, reason: 'throttled' }

/** A world with a carrier that takes every message, or does what `decide` says. */
async function open(kind: StoreKind, decide: Parameters<typeof fakeCarrier>[0] = taken) {
  const world = await openWorld(kind)
  const carrier = fakeCarrier(decide)
  await world.start([carrier])
  const says = (body: string, event: Partial<IncomingEvent> = {}): Promise<void> =>
    carrier.report({ ...incoming, body, ...event })
  return { world, carrier, says, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/** Sends a message and gives the status that it comes to at once. */
async function sent(
  world: World,
  fields: Parameters<typeof aMessage>[0] = {},
  account?: AccountId,
): Promise<string | undefined> {
  const as = account === undefined ? {} : { account }
  const { id } = await world.post(aMessage({ from: number, to: somebody, ...fields }), as)
  const status = async () => (await world.message(id, account))?.status.id
  await world.until('it is on its way', async () => (await status()) !== 'ACCEPTED.null')
  return status()
}

function recipients(carrier: FakeCarrier): readonly string[] {
  return carrier.submitted.map(({ to }) => to)
}

for (const kind of storeKinds) {
  describe(`a keyword that arrives (${kind})`, () => {
    for (const word of stopWords) {
      it(`makes an opt-out: ${JSON.stringify(word)}`, async () => {
        await using opened = await open(kind)
        const { world, says } = opened

        await says(word)

        assert.deepEqual(await optOutsOf(world), [stopped])
        const [message] = await world.received()
        assert.equal(message?.body, word)
        assert.equal((await world.notifications()).length, 1)
      })
    }

    for (const text of nearMisses) {
      it(`is alone in its message: ${JSON.stringify(text)} does nothing`, async () => {
        await using opened = await open(kind)
        const { world, says } = opened

        await says(text)

        assert.deepEqual(await optOutsOf(world), [])
        assert.equal((await world.received()).length, 1)
      })
    }

    for (const word of ['START', 'UNSTOP', 'YES', 'start', ' Yes ']) {
      it(`ends the opt-out again: ${JSON.stringify(word)}`, async () => {
        await using opened = await open(kind)
        const { world, says } = opened
        await says('STOP')
        const between = await sent(world)

        await says(word)

        assert.deepEqual(await optOutsOf(world), [])
        assert.deepEqual([between, await sent(world)], ['FAILED.BLOCKED', 'SENT.null'])
      })
    }

    it('ends an opt-out that a client made, for its pair alone', async () => {
      await using opened = await open(kind)
      const { world, says } = opened
      await addOptOut(world, { address: somebody, sender: number })
      await addOptOut(world, { address: somebody, sender: '54321' })

      await says('START')
      await says('START')

      assert.deepEqual(await optOutsOf(world), [[somebody, '54321', 'API']])
    })

    it('leaves an opt-out from every sender as it is', async () => {
      await using opened = await open(kind)
      const { world, says } = opened
      await addOptOut(world, { address: somebody, sender: null })

      await says('STOP')
      await says('START')

      assert.deepEqual(await optOutsOf(world), [[somebody, null, 'API']])
      assert.equal(await sent(world), 'FAILED.BLOCKED')
    })

    it('says nothing new when it is repeated', async () => {
      await using opened = await open(kind)
      const { world, says } = opened

      await says('STOP')
      await says('QUIT')

      assert.deepEqual(await optOutsOf(world), [stopped])
    })

    it('counts in whatever form the carrier writes the addresses', async () => {
      await using opened = await open(kind)
      const { world, says } = opened

      await says('STOP', { from: somebody.slice(1), to: '4915100000001' })

      assert.deepEqual(await optOutsOf(world), [[somebody, '+4915100000001', 'KEYWORD']])
    })

    it('does nothing where nothing can be sent to, or from', async () => {
      await using opened = await open(kind)
      const { world, says } = opened

      await says('STOP', { from: 'Bank' })
      await says('STOP', { to: '' })

      assert.deepEqual(await optOutsOf(world), [])
      assert.equal((await world.received()).length, 2)
    })

    it('does nothing in a message that is imported', async () => {
      await using opened = await open(kind)
      const { world } = opened

      await world.post(aMessage({ type: 'RECEIVED', from: somebody, to: number, body: 'STOP' }), {
        administrator: true,
      })

      assert.deepEqual(await optOutsOf(world), [])
    })

    it('is of one commit with the message that it came in', async () => {
      await using opened = await open(kind)
      const { world, carrier } = opened
      const failing = { ...incoming, body: null as unknown as string }

      await assert.rejects(carrier.report(incoming, failing))

      assert.deepEqual(await optOutsOf(world), [])
      assert.equal((await world.received()).length, 0)
    })
  })

  describe(`a message to an address that opted out (${kind})`, () => {
    it('fails as BLOCKED and never reaches its carrier', async () => {
      await using opened = await open(kind)
      const { world, carrier, says } = opened
      await says('STOP')

      const { id } = await world.post(aMessage({ from: number, to: somebody }))
      await world.comesTo(id, 'FAILED.BLOCKED')

      assert.deepEqual(await world.told(id), ['ACCEPTED.null', 'FAILED.BLOCKED'])
      assert.deepEqual(
        (await world.message(id))?.history.map(({ status }) => status),
        ['ACCEPTED.null', 'FAILED.BLOCKED'],
      )
      await world.clock.advance(5 * 60_000)
      assert.equal(carrier.submitted.length, 0)
      assert.equal(await nextDueAt(world.store), null)
    })

    it('is blocked when it was scheduled before', async () => {
      await using opened = await open(kind)
      const { world, carrier, says } = opened
      const scheduledAt = timestamp(world.clock.now() + hour)
      const { id } = await world.post(aMessage({ from: number, to: somebody, scheduledAt }))

      await says('STOP')
      await world.clock.advance(hour)
      await world.comesTo(id, 'FAILED.BLOCKED')

      assert.deepEqual(await world.told(id), ['SCHEDULED.null', 'ACCEPTED.null', 'FAILED.BLOCKED'])
      assert.equal(carrier.submitted.length, 0)
    })

    it('is blocked from that sender alone, and from every one where none is named', async () => {
      await using opened = await open(kind)
      const { world, carrier } = opened
      await addOptOut(world, { address: '+4915100000001', sender: number })
      await addOptOut(world, { address: '+4915100000002', sender: null })

      const statuses = [
        await sent(world, { to: '+4915100000001' }),
        await sent(world, { to: '+4915100000001', from: '54321' }),
        await sent(world, { to: '+4915100000002' }),
        await sent(world, { to: '+4915100000002', from: 'Nuncio' }),
        await sent(world, { to: '+4915100000003' }),
      ]

      const [blocked, through] = ['FAILED.BLOCKED', 'SENT.null']
      assert.deepEqual(statuses, [blocked, through, blocked, blocked, through])
      assert.deepEqual(recipients(carrier), ['+4915100000001', '+4915100000003'])
    })

    it('is found among many that are handed over together, of several accounts', async () => {
      const world = await openWorld(kind)
      await using _ = world
      const carrier = fakeCarrier()
      const to = (index: number): string => `+491510000${1000 + index}`
      for (const index of [3, 77, 149]) {
        await addOptOut(world, { address: to(index), sender: index === 77 ? null : number })
      }
      await addOptOut(world, { address: to(5), sender: null }, theirs)
      const posts = Array.from({ length: 150 }, (_, index) =>
        world.post(
          aMessage({ from: number, to: to(index) }),
          index % 2 === 0 ? { account: theirs } : {},
        ),
      )
      await Promise.all(posts)

      await world.start([carrier])
      await world.until('the others are handed over', () => carrier.submitted.length >= 147)
      await world.clock.advance(10_000)

      // 77 and 149 and 3 are the first account's; 5 is, too, and was opted out of the other's alone.
      const missing = Array.from({ length: 150 }, (_, index) => to(index)).filter(
        (recipient) => !recipients(carrier).includes(recipient),
      )
      assert.deepEqual(missing, [to(3), to(77), to(149)])
    })

    it('of another account goes out', async () => {
      await using opened = await open(kind)
      const { world, says } = opened
      await giveNumber(world, number)
      await says('STOP')
      await addOptOut(world, { address: somebody, sender: null })

      const status = await sent(world, { from: 'Theirs' }, theirs)

      assert.equal(status, 'SENT.null')
      assert.deepEqual(await optOutsOf(world, theirs), [])
    })

    it('is blocked where it is expired as well', async () => {
      await using opened = await open(kind)
      const { world, says } = opened
      const scheduledAt = timestamp(world.clock.now() + hour)
      const validUntil = timestamp(world.clock.now() + hour + 1)
      await says('STOP')
      const { id } = await world.post(
        aMessage({ from: number, to: somebody, scheduledAt, validUntil }),
      )

      world.clock.jump(2 * hour)
      await world.clock.advance(5000)

      await world.comesTo(id, 'FAILED.BLOCKED')
    })
  })

  describe(`an opt-out while a message is being handed over (${kind})`, () => {
    it('does not call it back: it is SENT', async () => {
      await using opened = await open(kind, () => null)
      const { world, carrier, says } = opened
      const { id } = await world.post(aMessage({ from: number, to: somebody }))
      await world.until('it is handed over', () => carrier.submitted.length === 1)

      await says('STOP')
      carrier.answer()

      await world.comesTo(id, 'SENT.null')
    })

    it('keeps it back when the carrier was busy', async () => {
      await using opened = await open(kind, () => busy)
      const { world, carrier, says } = opened
      const { id } = await world.post(aMessage({ from: number, to: somebody }))
      await world.until('it is refused', () => carrier.submitted.length === 1)

      await says('STOP')
      await world.clock.advance(2000)

      await world.comesTo(id, 'FAILED.BLOCKED')
      assert.equal(carrier.submitted.length, 1)
    })

    it('keeps it back when it would be handed over again, after the answer was lost', async () => {
      await using opened = await open(kind, () => ({ kind: 'UNCERTAIN', reason: 'the link broke' }))
      const { world, carrier, says } = opened
      const { id } = await world.post(aMessage({ from: number, to: somebody }))
      await world.until('it is handed over', () => carrier.submitted.length === 1)

      await says('STOP')
      await world.clock.advance(70_000)

      await world.comesTo(id, 'FAILED.BLOCKED')
      assert.equal(carrier.submitted.length, 1)
    })

    it('decides between the messages before it and those behind it', async () => {
      await using opened = await open(kind)
      const { world, carrier, says } = opened
      const body = (index: number) => aMessage({ from: number, to: somebody, body: `${index}` })

      const before = await Promise.all([1, 2, 3].map((index) => world.post(body(index))))
      const stop = says('STOP')
      const alongside = await Promise.all([4, 5, 6].map((index) => world.post(body(index))))
      await stop
      const behind = await Promise.all([7, 8, 9].map((index) => world.post(body(index))))
      await world.clock.advance(1000)

      const ends = async (ids: readonly { id: string }[]): Promise<ReadonlySet<string>> => {
        const found = await Promise.all(ids.map(({ id }) => world.message(id)))
        return new Set(found.map((message) => message?.status.id ?? ''))
      }
      assert.deepEqual(await ends(behind), new Set(['FAILED.BLOCKED']))
      for (const status of await ends([...before, ...alongside])) {
        assert.match(status, /^(SENT\.null|FAILED\.BLOCKED)$/)
      }
      const reached = carrier.submitted.map(({ id }) => id)
      for (const id of reached) {
        assert.equal((await world.message(id))?.status.id, 'SENT.null')
      }
    })
  })
}
