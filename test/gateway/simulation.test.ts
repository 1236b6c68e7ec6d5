import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { timestamp } from '../../src/core/timestamp.ts'
import { Problem } from '../../src/core/problem.ts'
import type { Random } from '../../src/core/ports/random.ts'
import { isFinal } from '../../src/core/declaration/collection.ts'
import { messageStates } from '../../src/collections/messages.ts'
import { gateway } from '../../src/gateway/gateway.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { settle } from '../support/virtual-clock.ts'
import { fixedCarriers } from './support/fixed-carriers.ts'
import { mortalStore } from './support/mortal-store.ts'
import { roughNetwork, type RoughNetwork } from './support/rough-network.ts'
import type { StoreKind } from './support/stores.ts'
import { aMessage, openWorld, type World } from './support/world.ts'

const hour = 3_600_000

/** What clients did, as far as it was answered. */
interface Done {
  readonly world: World
  readonly network: RoughNetwork
  readonly ids: string[]
  /** How much of what was submitted came before the answer to DELETE or the cancellation. */
  readonly endedAfter: Map<string, number>
}

/** Two processes at once, each of which dies after some transactions and is followed by another. */
function keepTwoAlive({ world, network }: Done, random: Random): () => Promise<void> {
  const alive: (() => boolean)[] = []
  return async () => {
    while (alive.filter((each) => each()).length < 2) {
      const nth = 5 + Math.floor(random.fraction() * 60)
      const mortal = mortalStore(world.store, nth, random.fraction() < 0.5 ? 'before' : 'after')
      const lives = (): boolean => !mortal.dead()
      alive.push(lives)
      const { clock, newId } = world
      const carriers = fixedCarriers(mortal.store, [network.link(lives)])
      void gateway({ store: mortal.store, carriers, clock, random, newId, log: () => {} }).start()
      await settle(1)
    }
  }
}

/** One thing that a client may do. */
async function act({ world, network, ids, endedAfter }: Done, random: Random): Promise<void> {
  const dice = random.fraction()
  const id = ids[Math.floor(random.fraction() * ids.length)]
  const body = 'a'.repeat(1 + Math.floor(random.fraction() * 400))
  const later = timestamp(world.clock.now() + 1 + Math.floor(random.fraction() * 60_000))
  if (id === undefined || dice < 0.6) {
    const { id: made } = await world.post(
      aMessage(dice < 0.2 ? { body, scheduledAt: later } : { body }),
    )
    ids.push(made)
    return
  }
  if (endedAfter.has(id)) return
  const before = (): number => network.submitted.filter(({ message }) => message.id === id).length
  if (dice < 0.7) {
    await world.remove(id)
    endedAfter.set(id, before())
  } else if (dice < 0.8) {
    await world.patch(id, { status: { type: 'CANCELLED' } })
    endedAfter.set(id, before())
  } else if (dice < 0.9) {
    await world.patch(id, { body })
  } else {
    const message = await world.message(id)
    if (message !== null) await world.put(id, message)
  }
}

async function simulate(kind: StoreKind, seed: number): Promise<void> {
  await using world = await openWorld(kind, seed)
  const random = seededRandom(seed)
  const network = roughNetwork(world.clock, random)
  const done: Done = { world, network, ids: [], endedAfter: new Map() }
  const keepAlive = keepTwoAlive(done, random)

  for (let step = 0; step < 60; step += 1) {
    await keepAlive()
    await act(done, random).catch((error: unknown) => {
      assert.ok(error instanceof Problem && error.status === 409, String(error))
    })
    if (random.fraction() < 0.7) await world.clock.advance(random.fraction() * 3000)
  }
  await world.start([network.link(() => true)])
  await world.clock.advance(hour / 6)
  world.clock.jump(4 * 24 * hour)
  await world.clock.advance(60_000)

  for (const id of done.ids) await check(done, id)
}

/** What must be true of a message in the end, whatever happened. */
async function check({ world, network, endedAfter }: Done, id: string): Promise<void> {
  const submitted = network.submitted.filter(({ message }) => message.id === id).length
  const end = endedAfter.get(id)
  if (end !== undefined) assert.equal(submitted, end, `${id} was sent after it was ended`)

  const message = await world.message(id)
  if (message === null) return
  const { type } = message.status
  assert.ok(isFinal(messageStates, type) || type === 'UNKNOWN', `${id} stays ${message.status.id}`)
  const statuses = message.history.map(({ status }) => status)
  const again = statuses.filter((status) => status === 'ACCEPTED.RESUBMITTED').length
  assert.ok((network.taken.get(id) ?? 0) <= 1 + again, `${id} was sent again without a mark`)
  assert.deepEqual(
    await world.told(id),
    statuses.filter((status) => status !== 'ACCEPTED.RESUBMITTED'),
  )
}

describe('two processes that die again and again over a rough network', () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    it(`lose nothing, and send nothing twice unmarked: seed ${seed}`, async () => {
      await simulate(seed % 5 === 0 ? 'sqlite' : 'memory', seed)
    })
  }
})
