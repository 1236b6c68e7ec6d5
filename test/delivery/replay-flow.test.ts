import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { deliveries } from '../../src/collections/deliveries.ts'
import { replays } from '../../src/collections/replays.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { progressText, readProgress } from '../../src/delivery/progress/progress.ts'
import { startRetention } from '../../src/delivery/retention/retention.ts'
import { sqliteStore } from '../../src/stores/sqlite/sqlite-store.ts'
import { temporaryDirectory } from '../stores/temporary-directory.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { settle } from '../support/virtual-clock.ts'
import { addReplay, replayOf } from './support/add-replay.ts'
import { brittleStore } from './support/brittle-store.ts'
import { messageNames, ours, status, unhurried, World, type Sent } from './support/world.ts'

const collections = [webhooks, deliveries, replays]

/** Why a store cannot be tried here. */
const skips: Readonly<Record<string, string | false>> = { PostgreSQL: await noPostgres() }

/** Stores that are real, each gone with its test. */
const stores: Readonly<Record<string, (t: TestContext) => Promise<Store>>> = {
  SQLite: async (t) => {
    const directory = await temporaryDirectory()
    t.after(() => directory[Symbol.asyncDispose]())
    return sqliteStore(directory.file('nuncio.db'), collections)
  },
  PostgreSQL: () => openPostgres(collections),
}

const secondMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs

describe('a replay', () => {
  it('after a crash repeats one batch at most, under the identifier that it had', async (t) => {
    const world = await delivered(t, 10)
    const dying = brittleStore(world.store)
    let isDeadAfter = 2
    world.receive('https://w.test/', () => {
      isDeadAfter -= 1
      if (isDeadAfter === 0) dying.isDead = true
      return 204
    })
    await addReplay(world, 'w', 'replay_1')

    await world.start({ store: dying.store, owner: 'node_1' })
    await world.clock.advance(0)
    const before = world.sent.length
    await world.start({ owner: 'node_2' })
    await world.clock.advance(40 * secondMs)

    const [first, second, again, ...others] = world.sent.map(({ messageIds }) => messageIds.join())
    assert.equal(before, 2)
    assert.deepEqual([first, second, again], ['m1,m2,m3', 'm4,m5,m6', 'm4,m5,m6'])
    assert.equal(world.sent[2]?.webhookId, world.sent[1]?.webhookId)
    assert.deepEqual(others, ['m7,m8,m9', 'm10'])
    assert.equal((await replayOf(world, 'w', 'replay_1'))?.state, 'COMPLETED')
  })

  it('goes on at another node after a stop, and counts on', async (t) => {
    const world = await delivered(t, 9)
    await addReplay(world, 'w', 'replay_1')
    world.receive('https://w.test/', async () => {
      await new Promise<void>((resolve) => world.clock.after(15, resolve))
      return 204
    })
    const first = await world.start({ owner: 'node_1', leaseTimes: unhurried })
    await world.clock.advance(20)
    const stopped = first.stop(secondMs)
    await world.clock.advance(20)
    await stopped
    const before = world.received('w')

    await world.start({ owner: 'node_2', leaseTimes: unhurried })
    await world.clock.advance(secondMs)

    assert.deepEqual(before, messageNames(6))
    assert.deepEqual(world.received('w'), messageNames(9))
    assert.equal((await replayOf(world, 'w', 'replay_1'))?.result?.sent, 9)
  })

  it('is running again after a retry, also at a node that took it over running', async (t) => {
    const world = await delivered(t, 12)
    await addReplay(world, 'w', 'replay_1')
    const seen: string[] = []
    world.receive('https://w.test/', async ({ messageIds: [first = ''] }) => {
      seen.push(`${first} ${(await replayOf(world, 'w', 'replay_1'))?.state}`)
      await new Promise<void>((resolve) => world.clock.after(15, resolve))
      return first === 'm7' && seen.length === 3 ? 503 : 204
    })
    const first = await world.start({ owner: 'node_1', leaseTimes: unhurried })
    await world.clock.advance(20)
    const stopped = first.stop(secondMs)
    await world.clock.advance(20)
    await stopped

    await world.start({ owner: 'node_2', leaseTimes: unhurried })
    await world.clock.advance(hourMs)

    assert.deepEqual(seen, ['m1 RUNNING', 'm4 RUNNING', 'm7 RUNNING', 'm7 RETRYING', 'm10 RUNNING'])
  })

  it('takes turns with what happens, so that neither waits for the end of the other', async (t) => {
    const world = await delivered(t, 60)
    world.receive('https://w.test/', async () => {
      await new Promise<void>((resolve) => world.clock.after(15, resolve))
      return 204
    })
    await addReplay(world, 'w', 'replay_1')
    await world.start({ leaseTimes: unhurried })

    await world.notify(...messageNames(60, 'new'))
    await world.clock.advance(10 * secondMs)

    const received = (prefix: string) => world.received('w').filter((id) => id.startsWith(prefix))
    assert.match(world.sent.map(kindOf).join(''), /^r{1,3}(n{1,3}r{1,3}){6,}n*$/)
    assert.deepEqual(received('m'), messageNames(60))
    assert.deepEqual(received('new'), messageNames(60, 'new'))
  })

  it('is given up after three days without a success; its webhook is not disabled', async (t) => {
    const world = await delivered(t, 1)
    world.receive('https://w.test/', (sent) => (kindOf(sent) === 'r' ? 503 : 204))
    await addReplay(world, 'w', 'replay_1')
    await world.start({ leaseTimes: unhurried })
    await world.clock.advance(2 * dayMs)
    const retrying = await replayOf(world, 'w', 'replay_1')

    await world.clock.advance(2 * dayMs)

    const failed = await replayOf(world, 'w', 'replay_1')
    assert.equal(retrying?.state, 'RETRYING')
    assert.equal(failed?.state, 'FAILED')
    assert.match(failed?.stateReason ?? '', /^No delivery succeeded for 3 days\. /)
    assert.equal((await world.webhook('w'))['state'], 'ACTIVE')
    assert.deepEqual((await world.progress('w')).replays, [])
  })

  it('follows another in the order in which they were made', async (t) => {
    const world = await delivered(t, 2)
    for (const id of ['replay_1', 'replay_2']) await addReplay(world, 'w', id)

    await world.start({ leaseTimes: unhurried })

    assert.deepEqual(world.received('w'), ['m1', 'm2', 'm1', 'm2'])
    assert.equal((await replayOf(world, 'w', 'replay_2'))?.state, 'COMPLETED')
  })

  it('sends what is still kept, where part of its batch became too old', async (t) => {
    const world = await delivered(t, 1)
    await world.clock.advance(2 * dayMs)
    await world.start({ leaseTimes: unhurried })
    await world.notify('late')
    world.receive('https://w.test/', () => 503)
    await addReplay(world, 'w', 'replay_1')
    await using _ = startRetention({
      ...world,
      owner: null,
      auditKeptMs: 365 * dayMs,
      onFault: (error) => assert.fail(String(error)),
    })
    // Nothing is sent in between: the attempts of two days are not what this is about.
    await world.change('w', { active: false }, (progress) => progress)

    await world.clock.advance(5 * dayMs + 2 * hourMs)
    world.receive('https://w.test/', () => 204)
    await world.change('w', { active: true }, (progress) => progress)
    await world.clock.advance(hourMs)

    assert.deepEqual(world.sent.at(-1)?.messageIds, ['late'])
    assert.equal((await replayOf(world, 'w', 'replay_1'))?.state, 'COMPLETED')
  })

  it('is removed seven days after its end', async (t) => {
    const world = await delivered(t, 1)
    await addReplay(world, 'w', 'replay_1')
    await world.start({ leaseTimes: unhurried })
    await using _ = startRetention({
      ...world,
      owner: null,
      auditKeptMs: 365 * dayMs,
      onFault: (error) => assert.fail(String(error)),
    })
    await world.clock.advance(7 * dayMs - hourMs)
    const before = await replayOf(world, 'w', 'replay_1')

    await world.clock.advance(3 * hourMs)
    await settle(20)

    assert.equal(before?.state, 'COMPLETED')
    assert.equal(await replayOf(world, 'w', 'replay_1'), null)
  })

  for (const [name, open] of Object.entries(stores)) {
    it(
      `finds few among many, and what was set aside, over ${name}`,
      { skip: skips[name] ?? false },
      async (t) => {
        const store = await open(t)
        const world = new World(t, { store })
        await world.addWebhook('w')
        await world.start({ leaseTimes: unhurried })
        let isMended = false
        world.receive('https://w.test/', ({ messageIds }) =>
          !isMended && messageIds.includes('bad') ? status(422, '1') : 204,
        )
        await world.notify('bad')
        const isDone = async (): Promise<boolean> => (await world.lag('w')) === 0
        while (!(await isDone())) await world.clock.advance(secondMs)
        await world.change('w', { active: false }, (progress) => progress)
        await world.notify(...messageNames(6000))
        await addReplay(world, 'w', 'replay_1', { failedOnly: true })
        await store.transact(async ({ consumers, everywhere }) => {
          const consumer = await everywhere.findConsumer(ours, 'w')
          assert.ok(consumer)
          const progress = readProgress(consumer.progress)
          const from = await store.log.end(ours)
          await consumers.put(ours, 'w', progressText({ ...progress, from }))
        })
        await addReplay(world, 'w', 'replay_2', { messageIds: ['m5999', 'm2'] })
        isMended = true
        const before = world.sent.length

        await world.change('w', { active: true }, (progress) => progress)
        while ((await replayOf(world, 'w', 'replay_2'))?.state !== 'COMPLETED') await settle()

        assert.deepEqual(
          world.sent.slice(before).map(({ messageIds }) => messageIds),
          [['bad'], ['m2', 'm5999']],
        )
      },
    )
  }
})

/** A webhook that was delivered so many notifications, three at a time, and no dispatcher. */
async function delivered(
  t: { after(end: () => Promise<void>): void },
  count: number,
): Promise<World> {
  const world = new World(t)
  await world.notify(...messageNames(count))
  await world.addWebhook('w', { maxBatch: 3 })
  return world
}

/** `r` for what is sent again, `n` for what is new. */
function kindOf({ webhookId }: Sent): string {
  return webhookId.startsWith('replayed_') ? 'r' : 'n'
}
