import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { order, until, type Load } from './load.ts'
import type { Receiver } from './receiver.ts'

/** So long the receiver may take to be told all once nothing is in the way. */
const recoverMsMax = 120_000

/**
 * Waits until the receiver was told the end of all that was answered 201, says what was lost,
 * repeated and out of order, and fails where anything was lost or out of order.
 */
export async function reckon(t: TestContext, load: Load, receiver: Receiver): Promise<void> {
  const { accepted, statuses } = load
  const { told } = receiver
  const began = performance.now()
  const left = new Set(accepted)
  await until(() => {
    for (const id of left) if (told.get(id)?.includes('DELIVERED') === true) left.delete(id)
    return left.size === 0
  }, recoverMsMax)

  const tellings = [...told.values()]
  const duplicates = tellings.reduce((sum, each) => sum + each.length - new Set(each).size, 0)
  const disordered = tellings.filter((each) => {
    const first = [...new Set(each)]
    return first.join() !== order.filter((status) => first.includes(status)).join()
  })
  const answers = [...statuses].map(([status, count]) => `${count} × ${status}`).join(', ')
  t.diagnostic(
    `answers ${answers}; accepted ${accepted.size}, lost ${left.size}, duplicates ${duplicates}, ` +
      `out of order ${disordered.length}, told all after ${Math.round(performance.now() - began)} ms`,
  )
  assert.ok(accepted.size > 0, 'something was accepted')
  const [lost = ''] = left
  assert.equal(left.size, 0, `lost, such as ${lost}, of which was told ${told.get(lost)?.join()}`)
  assert.deepEqual(disordered, [])
}
