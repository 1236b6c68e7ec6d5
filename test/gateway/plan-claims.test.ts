import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { WaitingQueue } from '../../src/core/ports/submissions.ts'
import { fairShares } from '../../src/gateway/rates.ts'
import {
  type ClaimInputs,
  planClaims,
  queueText,
} from '../../src/gateway/submission/plan-claims.ts'
import { queueNameText } from '../../src/gateway/submission/queue-key.ts'

const lane = queueNameText({ carrier: 'c1', pinned: false, sender: null })
const [low, high]: readonly WaitingQueue[] = [0, 3].map((priority) => ({
  lane,
  priority,
  dueAt: 0,
}))
assert.ok(low && high)

/** Inputs with one open carrier, which takes `room` messages. */
function inputsWith(room: number): ClaimInputs {
  const shares = fairShares()
  return {
    availabilityOf: () => 'READY',
    hasOther: () => false,
    isDeleted: () => false,
    roomOf: () => room,
    allowanceOf: () => null,
    sharesOf: () => shares,
  }
}

const frame = { now: 1, limit: 500, lateMs: 60_000 }

describe('the plan of a shard', () => {
  it('leaves the share of a more urgent queue of another shard', () => {
    const inputs = inputsWith(9)

    const alone = planClaims([low], inputs, { ...frame, elsewhere: [] })
    const beside = planClaims([low], inputs, { ...frame, elsewhere: [high] })

    assert.deepEqual(
      alone.claims.map(({ limit }) => limit),
      [9],
    )
    assert.deepEqual(
      beside.claims.map(({ queue, limit }) => ({ priority: queue.priority, limit })),
      [{ priority: 0, limit: 1 }],
    )
  })

  it('says that its submissions wait for room if all of it is another shard’s', () => {
    const inputs = inputsWith(1)
    inputs.sharesOf('c1').charge({ key: queueText(low), weight: 1 }, 1)

    const plan = planClaims([low], inputs, { ...frame, elsewhere: [high] })

    assert.deepEqual(plan.claims, [])
    assert.equal(plan.isFull, true)
  })

  it('takes the share of a queue that waits in several shards', () => {
    const plan = planClaims([high], inputsWith(9), { ...frame, elsewhere: [high, low] })

    assert.deepEqual(
      plan.claims.map(({ limit }) => limit),
      [8],
    )
  })

  it('shares in proportion to the weights over time, whichever shard plans first', () => {
    const inputs = inputsWith(1)
    const taken = new Map<number, number>()
    for (let turn = 0; turn < 180; turn += 1) {
      const [own, rival] = turn % 2 === 0 ? [low, high] : [high, low]
      const plan = planClaims([own], inputs, { ...frame, elsewhere: [rival] })
      for (const { queue, limit } of plan.claims) {
        inputs
          .sharesOf('c1')
          .charge({ key: queueText(queue), weight: 1 + 7 * Number(queue === high) }, limit)
        taken.set(queue.priority, (taken.get(queue.priority) ?? 0) + limit)
      }
    }

    const ratio = (taken.get(3) ?? 0) / (taken.get(0) ?? 1)
    assert.ok(ratio >= 7 && ratio <= 9, `${ratio}`)
  })
})
