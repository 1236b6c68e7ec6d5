import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { World, messageNames } from './support/world.ts'

describe('notifications for a webhook', () => {
  it('are sent at once, in their order, and acknowledged by any 2xx', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    await world.start()

    await world.notify('m1')
    await world.notify('m2', 'm3')

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds),
      [['m1'], ['m2', 'm3']],
    )
    assert.equal((await world.webhook('w'))['state'], 'ACTIVE')
    assert.equal((await world.progress('w')).lastSuccessAt, world.clock.now())
    assert.deepEqual(world.faults, [])
  })

  it('that waited are sent in full batches, one after the other', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 10 })
    await world.notify(...messageNames(25))

    await world.start()

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds.length),
      [10, 10, 5],
    )
    assert.deepEqual(world.received('w'), messageNames(25))
    assert.equal(new Set(world.sent.map(({ webhookId }) => webhookId)).size, 3)
  })
})
