import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { accounts } from '../../src/collections/accounts.ts'
import { accountId, defaultAccount } from '../../src/core/account.ts'
import { type Store, StoreUnavailable } from '../../src/core/ports/store.ts'
import { startRetention } from '../../src/delivery/retention/retention.ts'
import { settle } from '../support/virtual-clock.ts'
import { messageNames, ours, unhurried, World } from './support/world.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const everything = { types: ['SENT'], statuses: ['DELIVERED'] }

describe('what is kept for seven days', () => {
  it('are notifications and attempts, and then they go', async (t) => {
    const world = new World(t)
    await addAccount(world)
    await world.addWebhook('w', { maxBatch: 1 })
    await world.start({ leaseTimes: unhurried })
    keep(t, world)
    await world.notify(...messageNames(450))
    await world.clock.advance(3 * dayMs)
    await world.notify('late')

    await world.clock.advance(4 * dayMs - hourMs)
    const before = await count(world)
    await world.clock.advance(3 * hourMs)
    await settle(20)

    assert.deepEqual(before, { notifications: 451, attempts: 451 })
    assert.deepEqual(await count(world), { notifications: 1, attempts: 1 })
    assert.equal((await world.webhook('w'))['stateReason'], null)
    assert.deepEqual(world.faults, [])
  })

  it('are receipts that nothing waits for', async (t) => {
    const world = new World(t)
    const { store, clock } = world
    const outcome = { type: 'DELIVERED', detail: null } as const
    const part = { account: ours, messageId: 'm', part: 1, carrier: 'c', carrierMessageId: 'x' }
    await store.transact(async ({ receipts }) => {
      await receipts.expect({ ...part, outcome }, clock.now())
      await receipts.expect({ ...part, carrierMessageId: 'open', outcome: null }, clock.now())
      const early = { carrier: 'c', outcome, code: null, receivedAt: clock.now() }
      for (let nth = 0; nth < 450; nth += 1) {
        await receipts.match({ ...early, carrierMessageId: `${nth}` }, null)
      }
    })
    const stored = () =>
      store.transact(async ({ receipts }) => {
        const parts = await receipts.parts(ours, 'm')
        return [parts.map((one) => one.carrierMessageId), await receipts.unmatched(999)]
      })
    keep(t, world)

    await clock.advance(7 * dayMs - hourMs)
    const before = await stored()
    await clock.advance(3 * hourMs)
    await settle(20)

    assert.deepEqual(before, [['open', 'x'], 450])
    assert.deepEqual(await stored(), [['open'], 0])
    assert.deepEqual(world.faults, [])
  })

  it('says so in the state of a webhook that loses undelivered ones', async (t) => {
    const world = new World(t)
    await addAccount(world)
    await world.addWebhook('w', { active: false })
    await world.addWebhook('other')
    await world.start({ leaseTimes: unhurried })
    keep(t, world)
    await world.notify('m1')
    await world.clock.advance(2 * dayMs)
    await world.notify('m2')

    await world.clock.advance(5 * dayMs + 2 * hourMs)
    const { state, stateReason } = await world.webhook('w')
    await world.change('w', { active: true }, (progress) => progress)

    assert.equal(state, 'DISABLED')
    assert.match(
      String(stateReason),
      /Undelivered notifications exceeded their retention, last on 2026-01-08/,
    )
    assert.deepEqual(world.received('w'), ['m2'])
    assert.equal((await world.webhook('other'))['stateReason'], null)
  })

  it('lets an open batch that lost a part go on as another', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 410)
    await world.start({ leaseTimes: unhurried })
    keep(t, world)
    await world.notify('m1')
    await world.clock.advance(2 * dayMs)
    await world.notify('m2')

    await world.clock.advance(6 * dayMs)
    world.receive('https://w.test/', () => 204)
    await world.change('w', {}, (progress) => ({ ...progress, disabled: null }))

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds),
      [['m1'], ['m2']],
    )
    assert.notEqual(world.sent[0]?.webhookId, world.sent[1]?.webhookId)
  })
})

describe('an account whose server is unavailable', () => {
  it('keeps its notifications, and does not keep the attempts of others', async (t) => {
    const world = new World(t)
    const away = accountId('away')
    await addAccount(world, away)
    await addAccount(world)
    await world.addWebhook('w', { maxBatch: 1 })
    await world.start({ leaseTimes: unhurried })
    const { store } = world
    const bounds: (number | undefined)[] = []
    keep(t, world, {
      ...store,
      read: (account, work) =>
        account === away ? Promise.reject(new StoreUnavailable('away')) : store.read(account, work),
      maintain: (before, limit, logBefore) => {
        bounds.push(logBefore)
        return store.maintain(before, limit, logBefore)
      },
    })
    await world.notify('m1')

    await world.clock.advance(8 * dayMs)
    await settle(20)

    assert.deepEqual(await count(world), { notifications: 1, attempts: 0 })
    assert.deepEqual([...new Set(bounds)], [0])
    assert.ok(world.faults.every((fault) => fault instanceof StoreUnavailable))
    assert.ok(world.faults.length > 0)
  })
})

describe('several nodes', () => {
  it('remove what is too old one at a time, and another goes on when the one is gone', async (t) => {
    const world = new World(t)
    const ran: string[] = []
    const retainers = ['one', 'other'].map((owner) =>
      startRetention({
        clock: world.clock,
        owner,
        auditKeptMs: 365 * dayMs,
        onFault: (error) => world.faults.push(error),
        store: {
          ...world.store,
          maintain: async () => {
            ran.push(owner)
            return { isMore: false, arePassed: false, failure: null }
          },
        },
      }),
    )
    await world.clock.advance(2 * hourMs)
    const first = [...ran]
    await stopped(world, retainers[0])
    await world.clock.advance(hourMs)

    assert.deepEqual(first, ['one', 'one', 'one'])
    assert.deepEqual(ran.slice(first.length), ['other'])
    await stopped(world, retainers[1])
    assert.deepEqual(world.faults, [])
  })
})

async function stopped(world: World, retention: AsyncDisposable | undefined): Promise<void> {
  const ended = retention?.[Symbol.asyncDispose]()
  await world.clock.advance(0)
  await ended
}

async function addAccount({ store }: World, id = ours): Promise<void> {
  const at = '2026-01-01T00:00:00.000Z'
  const account = { id, name: id, active: true, createdAt: at, updatedAt: at }
  await store.transact((tx) => tx.in(defaultAccount).save(accounts, { id }, account, null))
}

function keep(t: TestContext, world: World, store: Store = world.store): void {
  const retention = startRetention({
    store,
    clock: world.clock,
    owner: null,
    auditKeptMs: 365 * dayMs,
    onFault: (error) => world.faults.push(error),
  })
  t.after(() => retention[Symbol.asyncDispose]())
}

async function count(world: World): Promise<{ notifications: number; attempts: number }> {
  const notifications = await world.store.log.count(ours, null, everything)
  return { notifications, attempts: (await world.deliveries('w')).length }
}
