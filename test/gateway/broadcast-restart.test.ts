import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import { typeIds } from '../../src/core/id.ts'
import { where, type Store } from '../../src/core/ports/store.ts'
import { broadcastMessages } from '../../src/collections/broadcasts.ts'
import { standardOffer } from '../../src/wiring/wire.ts'
import { broadcasting } from '../../src/gateway/broadcasts/broadcast-loop.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { settle, virtualClock, type VirtualClock } from '../support/virtual-clock.ts'
import {
  broadcastStores,
  openBroadcastStore,
  startBroadcasts,
  type BroadcastApi,
} from './support/broadcast-api.ts'
import { contentDefaults } from './support/content-defaults.ts'
import { mortalStore } from './support/mortal-store.ts'

const begin = Date.UTC(2026, 0, 1, 2)
const addresses = Array.from({ length: 120 }, (_, at) => `+4915100${String(at).padStart(5, '0')}`)

/** A process that makes broadcasts, with a clock of its own: the service of the test stands still. */
function maker(store: Store, now: number, seed: number) {
  const clock = virtualClock(now)
  const making = broadcasting({
    store,
    clock,
    newId: typeIds(clock, seededRandom(seed)),
    log: () => {},
    events: { failed: () => {} },
    defaults: contentDefaults,
  })
  making.start()
  return { clock, making }
}

/** A broadcast to all of the addresses, twice each, whose time is still to come for the service. */
async function scheduled(api: BroadcastApi, name = 'one'): Promise<string> {
  const to = { addresses: [...addresses, ...addresses] }
  const scheduledAt = '2026-01-01T01:00:00Z'
  const { id } = await api.broadcast({ name, to, body: 'hello {{address}}', scheduledAt })
  return id
}

/** Lets the makers work until this holds. */
async function until(clocks: readonly VirtualClock[], holds: () => Promise<boolean>) {
  for (let round = 0; round < 2000; round += 1) {
    if (await holds()) return
    for (const clock of clocks) await clock.advance(20)
  }
  assert.fail('it never came to this')
}

/** Each address has its message, once, in whatever is asked. */
async function assertOnce(api: BroadcastApi, id: string): Promise<void> {
  const { recipients, messageCounts, creditCost, state } = await api.read(id)
  const messages = await api.messagesOf(id)
  const entries = await api.store.read(defaultAccount, (reader) =>
    reader.list(broadcastMessages, id, where([], 1000)),
  )
  const to = messages.map((message) => message.to)

  assert.equal(state, 'DONE')
  assert.deepEqual(to.toSorted(), addresses)
  assert.equal(entries.length, addresses.length)
  assert.deepEqual(recipients, {
    ...recipients,
    seen: addresses.length * 2,
    messages: addresses.length,
    duplicate: addresses.length,
  })
  assert.deepEqual([messageCounts.accepted, creditCost], [addresses.length, addresses.length])
}

/** So many were told of the broadcast's messages. */
async function told({ store }: BroadcastApi): Promise<number> {
  const filter = { types: ['SENT'], statuses: ['ACCEPTED'] }
  return (await store.log.read(defaultAccount, null, filter, 10_000)).length
}

async function startOver(t: TestContext, store: Store): Promise<BroadcastApi> {
  return startBroadcasts(t, 'memory', { store })
}

for (const [kind, skip] of broadcastStores) {
  describe(`a process that makes a broadcast and dies, over the ${kind} store`, { skip }, () => {
    for (const when of ['before', 'after'] as const) {
      it(`${when} any commit leaves a state from which another goes on, and nobody gets two`, async (t) => {
        let deaths = 0
        for (const nth of [1, 2, 3, 4]) {
          const api = await startOver(t, await openBroadcastStore(kind))
          const id = await scheduled(api)
          const mortal = mortalStore(api.store, nth, when)
          const first = maker(mortal.store, begin, nth)
          await until([first.clock], async () => {
            return mortal.dead() || (await api.read(id)).state === 'DONE'
          })
          if (mortal.dead()) deaths += 1
          await settle()

          const second = maker(api.store, begin + 60_000, nth + 100)
          await until([second.clock], async () => (await api.read(id)).state === 'DONE')
          await second.making[Symbol.asyncDispose]()

          await assertOnce(api, id)
          // Over PostgreSQL they are shown when every transaction that began before has ended.
          await until([second.clock], async () => (await told(api)) >= addresses.length)
          assert.equal(await told(api), addresses.length)
        }
        assert.ok(deaths >= 3, `it died only ${deaths} times`)
      })
    }
  })
}

describe('nodes that make broadcasts over one PostgreSQL', { skip: await noPostgres() }, () => {
  it('make each slice once, also where one lets the other have it no longer', async (t) => {
    const shared = await openPostgres(standardOffer.collections)
    const api = await startOver(t, shared)
    const others = await Promise.all([
      postgresStore(shared.url, standardOffer.collections),
      postgresStore(shared.url, standardOffer.collections),
    ])
    const ids = [await scheduled(api, 'one'), await scheduled(api, 'two')]

    // The clock of one runs ahead: what the other holds is free for it.
    const makers = others.map((store, node) => maker(store, begin + node * 60_000, node + 1))
    await until(
      makers.map(({ clock }) => clock),
      async () => (await Promise.all(ids.map(api.read))).every(({ state }) => state === 'DONE'),
    )
    for (const { making } of makers) await making[Symbol.asyncDispose]()
    for (const store of others) await store[Symbol.asyncDispose]()

    for (const id of ids) await assertOnce(api, id)
    assert.equal(await told(api), addresses.length * 2)
  })
})
