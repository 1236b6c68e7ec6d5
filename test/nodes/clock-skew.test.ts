import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { roles } from '../../src/core/ports/nodes.ts'
import { membership } from '../../src/nodes/membership.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'
import { withTime } from '../support/with-time.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const skip = await noPostgres()

describe('a node whose clock differs from that of the store', () => {
  for (const [aheadMs, side] of [
    [1001, '1.001 s ahead of'],
    [-1001, '1.001 s behind'],
  ] as const) {
    it(`does not start if it is ${side} it`, async (t) => {
      const { clock, join } = openNodes(t)
      clock.jump(aheadMs)

      const { node } = join()

      await assert.rejects(node.start(), {
        name: 'StoreUnavailable',
        message:
          `the clock of this machine is ${side} that of the database, and may differ by one second; ` +
          'synchronize both by NTP, and start again',
      })
    })

    it(`warns once if it is ${side} it later, and says when it agrees again`, async (t) => {
      const { clock, join } = openNodes(t)
      const { node, logged } = join()
      clock.jump(Math.sign(aheadMs) * 1000)
      await node.start()

      clock.jump(Math.sign(aheadMs))
      await clock.advance(10_000)
      const differing = [...logged, node.clockAheadMs()]
      clock.jump(-aheadMs + Math.sign(aheadMs) * 501)
      await clock.advance(10_000)
      const still = logged.length
      clock.jump(-Math.sign(aheadMs))
      await clock.advance(10_000)

      assert.deepEqual(differing, ['warn clock differs from the database', aheadMs])
      assert.equal(still, 1)
      assert.deepEqual(logged.slice(1), ['info clock agrees with the database'])
    })
  }

  it('does not start over PostgreSQL', { skip }, async (t) => {
    const store = await openPostgres([])
    t.after(() => store[Symbol.asyncDispose]())
    const clock = virtualClock(Date.now() + 60_000)

    const node = membership({ store, clock, ...self, log: () => {} })

    await assert.rejects(node.start(), /is (59|60)\.?\d* s ahead of that of the database/)
  })
})

const self = { self: 'n1', roles, told: () => '{}' }

/** Nodes over a store whose clock stays as it is when theirs jumps. */
function openNodes(t: TestContext) {
  const clock = virtualClock()
  const began = clock.now()
  const store = withTime(memoryStore([]), () => began + clock.monotonic())
  const join = () => {
    const logged: string[] = []
    const node = membership({
      store,
      clock,
      ...self,
      log: (level, event) => {
        if (event.startsWith('clock')) logged.push(`${level} ${event}`)
      },
    })
    t.after(() => node[Symbol.asyncDispose]())
    return { node, logged }
  }
  return { clock, join }
}
