import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accountId } from '../../src/core/account.ts'
import { metrics } from '../../src/core/ports/metrics.ts'
import { measureQueues } from '../../src/gateway/submission/backlogs.ts'
import { memoryStore } from '../oracle/memory-store.ts'
import { virtualClock } from '../support/virtual-clock.ts'

describe('the metrics of queues', () => {
  it('sum up what is due by carrier, over senders and priorities', async () => {
    const store = memoryStore([])
    const clock = virtualClock()
    const registry = metrics()
    measureQueues(registry, store, clock)
    const now = clock.now()
    await store.transact(async (transaction) => {
      const writer = transaction.in(accountId('a'))
      await writer.enqueue('m1', now - 5000, { lane: 'smsc', priority: 1 })
      await writer.enqueue('m2', now - 9000, { lane: 'smsc! 123', priority: 2 })
      await writer.enqueue('m3', now + 1, { lane: 'smsc', priority: 1 })
      await writer.enqueue('m4', now, { lane: '', priority: 1 })
    })

    const lines = (await registry.text()).split('\n').filter((line) => line.startsWith('nuncio'))

    assert.deepEqual(lines, [
      'nuncio_submissions_due{carrier=""} 1',
      'nuncio_submissions_due{carrier="smsc"} 2',
      'nuncio_submissions_oldest_due_seconds{carrier=""} 0',
      'nuncio_submissions_oldest_due_seconds{carrier="smsc"} 9',
    ])
  })
})
