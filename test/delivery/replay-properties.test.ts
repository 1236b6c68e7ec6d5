import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { LeaseTimes } from '../../src/delivery/workers/leases.ts'
import { settle } from '../support/virtual-clock.ts'
import { addReplay, replayOf } from './support/add-replay.ts'
import { brittleStore } from './support/brittle-store.ts'
import { ExpectedOrder } from './support/expected-order.ts'
import { receiveOnWhims } from './support/whimsical-receiver.ts'
import { runs, type Run } from './support/whims.ts'
import { messageNames, World, type Sent } from './support/world.ts'

const hourMs = 3_600_000
const leaseTimes: LeaseTimes = { leaseMs: 2 * hourMs, renewMs: hourMs, pollMs: hourMs }

describe('whatever a receiver does to a replay, and whenever a node dies', () => {
  it('what it selects and what happens meanwhile are delivered or set aside, each in its order', async () => {
    await fc.assert(fc.asyncProperty(runs, play), { numRuns: 150 })
  })
})

/** Plays a run with as many old records, sent again, as new ones. */
async function play(run: Run): Promise<void> {
  const ends: (() => Promise<void>)[] = []
  const world = new World({ after: (end) => ends.push(end) }, { seed: run.seed })
  const [old, fresh] = [messageNames(run.messages), messageNames(run.messages, 'n')]
  const poison = new Set(run.poison.flatMap((number) => [`m${number}`, `n${number}`]))
  const orders = { old: new ExpectedOrder(old), fresh: new ExpectedOrder(fresh) }
  let node = brittleStore(world.store)
  const broken = receiveOnWhims(world, run, {
    poison,
    orderOf: (sent) => (isReplayed(sent) ? orders.old : orders.fresh),
    crash: () => {
      node.isDead = true
      void world.stop()
    },
  })

  await world.notify(...old)
  await world.addWebhook('w', { maxBatch: run.maxBatch })
  await addReplay(world, 'w', 'replay_1')
  await world.start({ store: node.store, leaseTimes })
  await world.notify(...fresh)
  for (let step = 0; step < 800 && !(await isOver(world)); step += 1) {
    await world.clock.advance(hourMs)
    await settle(4)
    if (node.isDead) {
      node = brittleStore(world.store)
      await world.start({ store: node.store, owner: `node_${step}`, leaseTimes })
    }
    if ((await world.progress('w')).disabled !== null) {
      const mended = { disabled: null, failingSince: null, nextAttemptAt: null }
      await world.change('w', {}, (progress) => ({ ...progress, ...mended }))
    }
  }

  const { state, result } = (await replayOf(world, 'w', 'replay_1')) ?? {}
  assert.deepEqual(broken, [])
  orders.fresh.passGivenUp(fresh.length)
  assert.equal(orders.fresh.done, fresh.length, 'every new record is done with')
  if (state === 'COMPLETED') {
    orders.old.passGivenUp(old.length)
    assert.equal(orders.old.done, old.length, 'every old record is done with')
    assert.equal((result?.sent ?? 0) + (result?.setAside ?? 0), old.length, 'and counted once')
  } else {
    assert.equal(state, 'FAILED')
  }
  for (const end of ends) await end()
}

function isReplayed({ webhookId }: Sent): boolean {
  return webhookId.startsWith('replayed_')
}

async function isOver(world: World): Promise<boolean> {
  const { replays } = await world.progress('w')
  return replays.length === 0 && (await world.lag('w')) === 0
}
