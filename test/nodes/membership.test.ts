import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { roles } from '../../src/core/ports/nodes.ts'
import { StoreUnavailable, type Store } from '../../src/core/ports/store.ts'
import { defaultQueueKey } from '../../src/core/ports/submissions.ts'
import { membership } from '../../src/nodes/membership.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

const ours = accountId('ours')

/** Nodes over one store. One that is struck reaches the store no more, until it is healed. */
function openNodes(t: TestContext) {
  const clock = virtualClock()
  const store = memoryStore([])
  const struck = new Set<string>()
  const join = async (self: string) => {
    const reached: Store = {
      ...store,
      transact: (work) =>
        struck.has(self) ? Promise.reject(new StoreUnavailable('gone')) : store.transact(work),
    }
    const told = (): string => '{}'
    const node = membership({ store: reached, clock, log: () => {}, self, roles, told })
    await node.start()
    t.after(() => node[Symbol.asyncDispose]())
    return node
  }
  const claimFor = async (owner: string) => {
    await store.transact(async (tx) => {
      await tx.in(ours).enqueue('m', clock.now())
      await tx.submissions.claim(clock.now(), clock.now() + 60_000, 1, defaultQueueKey, owner)
    })
  }
  const due = async (): Promise<number> => {
    const [place] = await store.transact(({ submissions }) => submissions.waiting(clock.now()))
    return (place?.dueAt ?? 0) - clock.now()
  }
  return { clock, join, claimFor, due, struck }
}

describe('what a node has claimed', () => {
  it('is due within nine seconds of its last sign of life', async (t) => {
    const { clock, join, claimFor, due, struck } = openNodes(t)
    await join('n1')
    const other = await join('n2')
    await clock.advance(20_000)
    await claimFor('n1')

    struck.add('n1')
    await clock.advance(9000)

    assert.ok((await due()) <= 0)
    assert.deepEqual(
      other.live().map(({ id }) => id),
      ['n2'],
    )
  })

  it('stays its own while the store is away from all, and when it is back', async (t) => {
    const { clock, join, claimFor, due, struck } = openNodes(t)
    await join('n1')
    await join('n2')
    await clock.advance(20_000)
    await claimFor('n1')
    struck.add('n1').add('n2')
    await clock.advance(12_000)

    struck.delete('n2')
    await clock.advance(5000)
    struck.delete('n1')
    await clock.advance(10_000)

    assert.ok((await due()) > 30_000)
  })

  it('is not held any more, as the node itself knows, when it has not been heard of for long', async (t) => {
    const { clock, join, struck } = openNodes(t)
    const node = await join('n1')
    await clock.advance(10_000)
    const claimedAt = clock.monotonic()

    const before = node.isHeldSince(claimedAt)
    struck.add('n1')
    await clock.advance(8000)
    const meanwhile = node.isHeldSince(claimedAt)
    struck.delete('n1')
    await clock.advance(4000)

    assert.deepEqual([before, meanwhile, node.isHeldSince(claimedAt)], [true, false, false])
    assert.equal(node.isHeldSince(clock.monotonic()), true)
  })
})
