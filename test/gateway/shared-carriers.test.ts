import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import type { CarrierType } from '../../src/core/ports/carrier.ts'
import { integer } from '../../src/core/declaration/field.ts'
import { typeIds } from '../../src/core/id.ts'
import { roles, type NodeMembers } from '../../src/core/ports/nodes.ts'
import { carriers } from '../../src/collections/carriers.ts'
import { CarrierRegistry } from '../../src/gateway/carriers/carrier-registry.ts'
import { readShared, writeShared, tokenBucket } from '../../src/gateway/rates.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { fakeCarrier } from './support/fake-carrier.ts'

const leaseMs = 8000

/** A carrier with binds, and nodes that share it; each says how many binds it has, and at what rate. */
async function openShared(t: TestContext, binds: number) {
  const clock = virtualClock()
  const random = seededRandom(1)
  const newId = typeIds(clock, random)
  const store = { ...memoryStore([carriers]), isShared: true }
  const there = new Set<string>()
  const listeners = new Set<() => void>()
  const settings = { binds, partsPerSecond: 90 }
  const instance = { id: 'c', type: 'SMPP', active: true, routes: [], downLimitMs: 0, settings }
  await store.transact((tx) => tx.in(defaultAccount).save(carriers, { id: 'c' }, instance, null))

  const join = async (self: string) => {
    there.add(self)
    const opened: { binds: unknown; partsPerSecond: unknown; isClosed: boolean }[] = []
    const type: CarrierType = {
      type: 'SMPP',
      settings: { binds: integer(), partsPerSecond: integer() },
      open: (id, given) => {
        const one = {
          binds: given['binds'],
          partsPerSecond: given['partsPerSecond'],
          isClosed: false,
        }
        opened.push(one)
        return {
          ...fakeCarrier(undefined, id),
          resume: async () => void resumed.push(id),
          async [Symbol.asyncDispose]() {
            one.isClosed = true
          },
        }
      },
    }
    const resumed: string[] = []
    const members: NodeMembers = {
      self,
      live: () => [...there].toSorted().map((id) => ({ id, roles, sharedState: '{}' })),
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      isHeldSince: () => true,
    }
    const log = (): void => {}
    const registry = new CarrierRegistry({
      store,
      clock,
      random,
      newId,
      log,
      types: [type],
      members,
    })
    await registry.start(async () => {})
    const now = () => opened.find(({ isClosed }) => !isClosed) ?? null
    t.after(() => registry[Symbol.asyncDispose]())
    return {
      registry,
      binds: () => now()?.binds ?? 0,
      rate: () => now()?.partsPerSecond ?? 0,
      resumed,
    }
  }
  const leave = (self: string): void => {
    there.delete(self)
    for (const listener of listeners) listener()
  }
  return { clock, join, leave }
}

describe('the binds of a carrier over several nodes', () => {
  it('are shared out, and never more than its settings say', async (t) => {
    const { clock, join } = await openShared(t, 3)
    const one = await join('n1')
    const before = one.binds()
    const other = await join('n2')
    const most: number[] = []

    for (let at = 0; at < 100; at += 1) {
      await clock.advance(100)
      most.push(Number(one.binds()) + Number(other.binds()))
    }

    assert.equal(before, 3)
    assert.deepEqual([one.binds(), other.binds()].toSorted(), [1, 2])
    assert.deepEqual([one.rate(), other.rate()].toSorted(), [30, 60])
    assert.ok(Math.max(...most) <= 3)
  })

  it('leave nodes without any where there are fewer, which still know how it stands', async (t) => {
    const { clock, join } = await openShared(t, 1)
    const one = await join('n1')
    const other = await join('n2')
    await clock.advance(10_000)

    const [shown] = other.registry.open()

    assert.deepEqual([one.binds(), other.binds()].toSorted(), [0, 1])
    assert.equal(shown?.limits.inFlight === 0, other.binds() === 0)
    assert.equal(shown?.isElsewhere?.(), other.binds() === 0)
  })

  it('go to the others when a node is not heard of, and at once when it stops', async (t) => {
    const { clock, join, leave } = await openShared(t, 2)
    const one = await join('n1')
    const other = await join('n2')
    await clock.advance(10_000)

    leave('n1')
    await one.registry[Symbol.asyncDispose]()
    await clock.advance(2000)

    assert.equal(other.binds(), 2)
  })

  it('are closed by a node that was paused past its lease', async (t) => {
    const { clock, join, leave } = await openShared(t, 1)
    const paused = await join('n1')
    leave('n1')
    clock.jump(leaseMs)
    const other = await join('n2')

    await clock.advance(leaseMs)

    assert.deepEqual([paused.binds(), other.binds()], [0, 1])
  })
})

describe('what a carrier has in memory', () => {
  it('is gone on with by one of the others, of a node that was there before it, too', async (t) => {
    const { clock, join, leave } = await openShared(t, 3)
    await join('n1')
    const heir = await join('n2')
    const other = await join('n3')
    await clock.advance(10_000)

    leave('n1')
    await clock.advance(10_000)

    assert.deepEqual([heir.resumed, other.resumed], [['c'], []])
  })
})

describe('a rate over several nodes', () => {
  it('is no more than one node alone would have', async () => {
    const clock = virtualClock()
    const store = memoryStore([])
    const nodes = [1, 2, 3].map(() => tokenBucket(10, clock))
    let taken = 0
    const claim = (bucket: (typeof nodes)[number]) =>
      store.transact(async (transaction) => {
        const named = new Map([['sender 1', bucket]])
        await readShared(transaction, named, clock.now())
        const room = Math.max(bucket.available(), 0)
        bucket.take(room)
        taken += room
        await writeShared(transaction, named, clock.now())
      })

    for (let at = 0; at < 50; at += 1) {
      for (const bucket of nodes) await claim(bucket)
      await clock.advance(100)
    }

    // What may go at once after a rest, and ten for each second.
    assert.ok(taken >= 58 && taken <= 60, `${taken}`)
  })
})
