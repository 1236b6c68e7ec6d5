import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { roles, type NodeMembers } from '../../src/core/ports/nodes.ts'
import { sharedLeaseTimes as leaseTimes } from '../../src/delivery/workers/leases.ts'
import { countConsumers, leaseConsumers } from '../support/lease-consumers.ts'
import { ours, World } from './support/world.ts'

const webhooks = Array.from({ length: 9 }, (_, index) => `w${index}`)

/** Nodes that know of each other at once. */
async function openNodes(t: TestContext) {
  const world = new World(t)
  for (const id of webhooks) await world.addWebhook(id)
  const there = new Set<string>()
  const join = async (owner: string) => {
    there.add(owner)
    const members: NodeMembers = {
      self: owner,
      live: () => [...there].map((id) => ({ id, roles, sharedState: '{}' })),
      onChange: () => () => {},
      isHeldSince: () => true,
    }
    return world.start({ owner, members, leaseTimes })
  }
  const held = async (owner: string): Promise<number> => {
    return (await countConsumers(world.store, owner, world.clock.now())).held
  }
  return { world, join, held, leave: (owner: string) => there.delete(owner) }
}

describe('the webhooks of several nodes', () => {
  it('are shared out anew within ten seconds of one joining', async (t) => {
    const { world, join, held } = await openNodes(t)
    await join('node_1')
    const before = await held('node_1')

    await join('node_2')
    await join('node_3')
    await world.clock.advance(10_000)

    const after = [await held('node_1'), await held('node_2'), await held('node_3')]
    assert.equal(before, webhooks.length)
    assert.deepEqual(after, [3, 3, 3])
  })

  it('are served by the others at once when a node stops', async (t) => {
    const { world, join, held, leave } = await openNodes(t)
    const first = await join('node_1')
    await join('node_2')
    await world.clock.advance(10_000)

    leave('node_1')
    const stopped = first.stop(0)
    await world.clock.advance(2000)
    await stopped

    assert.equal(await held('node_2'), webhooks.length)
  })

  it('wait for the request in flight before they change hands, and are sent nothing twice', async (t) => {
    const { world, join, held } = await openNodes(t)
    const answer = Promise.withResolvers<number>()
    for (const id of webhooks) world.receive(`https://${id}.test/`, () => answer.promise)
    await join('node_1')
    await world.notify('m1')
    await join('node_2')
    await world.clock.advance(9000)
    const whileInFlight = await held('node_2')

    answer.resolve(204)
    await world.clock.advance(5000)
    await world.notify('m2')

    assert.equal(whileInFlight, 0)
    assert.deepEqual([await held('node_1'), await held('node_2')], [5, 4])
    for (const id of webhooks) assert.deepEqual(world.received(id), ['m1', 'm2'])
  })

  it('are not moved by a node that was paused past its lease', async (t) => {
    const { world, join, held, leave } = await openNodes(t)
    const now = world.clock.now()
    const paused = await world.store.transact((tx) =>
      leaseConsumers(tx, 'node_0', now, now + leaseTimes.leaseMs),
    )
    leave('node_0')
    await world.clock.advance(leaseTimes.leaseMs)
    await join('node_1')
    await world.clock.advance(2000)

    const moved = await world.store.transact(async ({ consumers }) => {
      const tried = []
      for (const each of paused) tried.push(await consumers.advance({ ...each, progress: 'old' }))
      await consumers.release(paused)
      return tried
    })

    const found = await world.store.read(ours, (reader) => reader.findConsumer(ours, 'w0'))
    assert.ok(moved.every((each) => !each))
    assert.notEqual(found?.progress, 'old')
    assert.equal(await held('node_1'), webhooks.length)
  })
})
