import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { membership } from '../../src/nodes/membership.ts'
import { roles } from '../../src/core/ports/nodes.ts'
import type { Store } from '../../src/core/ports/store.ts'
import { sharedLeaseTimes } from '../../src/delivery/workers/leases.ts'
import { brittleStore } from './support/brittle-store.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { World } from './support/world.ts'

/** What the documents promise, without the time of the commits. */
const takenOverMs = 9000
const stepMs = 100
const ids = ['a', 'b']

describe('the webhooks of a node that is killed', () => {
  it('are served by another within nine seconds, whenever it is', async (t) => {
    const random = seededRandom(1)
    const up = (most: number): number => Math.floor((random.fraction() * most) / stepMs) * stepMs
    const silences: number[] = []
    for (let round = 0; round < 40; round += 1) {
      silences.push(await silenceMs(t, [up(3000), up(3000), up(3000), up(6000)]))
    }

    t.diagnostic(silences.join())
    assert.ok(Math.max(...silences) <= takenOverMs + stepMs, silences.join())
    assert.ok(Math.min(...silences) > 5000, silences.join())
  })
})

/** Returns for how long some webhook gets nothing once a node is killed. The pauses move the phases of loops. */
async function silenceMs(t: TestContext, pausesMs: readonly number[]): Promise<number> {
  const [first = 0, between = 0, second = 0, last = 0] = pausesMs
  const world = new World(t)
  const { clock } = world
  // Each node serves one.
  for (const id of ids) await world.addWebhook(id)
  const dying = brittleStore(world.store)
  await join(t, world, 'killed', dying.store, first)
  await clock.advance(between)
  await join(t, world, 'other', world.store, second)
  await clock.advance(20_000 + last)

  dying.isDead = true
  const before = ids.map((id) => world.received(id).length)
  let silence = 0
  while (ids.some((id, index) => world.received(id).length === before[index])) {
    await world.notify(`m${silence}`)
    await clock.advance(stepMs)
    silence += stepMs
  }
  return silence
}

/** Starts a node: its heartbeats, and some time later its dispatcher. */
async function join(
  t: TestContext,
  world: World,
  self: string,
  store: Store,
  pauseMs: number,
): Promise<void> {
  const { clock } = world
  const members = membership({ store, clock, log: () => {}, self, roles, told: () => '{}' })
  await members.start()
  await clock.advance(pauseMs)
  await world.start({ owner: self, store, members, leaseTimes: sharedLeaseTimes })
  t.after(async () => {
    const ended = members[Symbol.asyncDispose]()
    await clock.advance(0)
    await ended
  })
}
