import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secretKey, verify } from '@nuncio/receiver'
import { systemClock } from '../../src/core/ports/clock.ts'
import { typeIds } from '../../src/core/id.ts'
import { systemRandom } from '../../src/core/ports/random.ts'
import { startDispatcher } from '../../src/delivery/workers/dispatcher.ts'
import { deliveryEvents } from '../../src/delivery/workers/events.ts'
import { egressGuard, networks, systemLookup } from '../../src/delivery/egress/guard.ts'
import { poster } from '../../src/delivery/egress/poster.ts'
import { presentStoreKinds } from '../gateway/support/stores.ts'
import { receiverServer } from './support/receiver-server.ts'
import { worldOver } from './support/world-over.ts'
import { messageNames, secret } from './support/world.ts'

for (const kind of presentStoreKinds.slice(1)) {
  describe(`over sockets and a store on disk, ${kind}`, () => {
    it('a backlog arrives whole, in order and signed, although the receiver fails now and then', async (t) => {
      const world = await worldOver(t, kind)
      const { store } = world
      const names = messageNames(1000)
      const arrived: string[] = []
      let whole = (): void => {}
      const isWhole = new Promise<void>((resolve) => (whole = resolve))
      await using receiver = await receiverServer((response, { headers, body }) => {
        const nowMs = systemClock.now()
        verify([secretKey(secret)], headers, body, { nowMs, toleranceSeconds: 60 })
        if (receiver.seen.length % 7 === 3) {
          response.writeHead(500).end()
          return
        }
        const records: readonly { id: string }[] = JSON.parse(body)
        arrived.push(...records.map(({ id }) => id))
        response.writeHead(204).end()
        if (arrived.length === names.length) whole()
      })
      await world.addWebhook('w', { url: receiver.origin, maxBatch: 20 })
      await world.notify(...names)

      const guard = egressGuard(networks(['127.0.0.0/8']))
      await using out = poster({ guard, lookup: systemLookup, clock: systemClock })
      const dispatcher = startDispatcher({
        store,
        clock: systemClock,
        random: systemRandom,
        newId: typeIds(systemClock, systemRandom),
        events: deliveryEvents(() => {}),
        post: out.post,
        recordIn: (_, record) => record,
        schedule: [5],
        userAgent: 'Nuncio/test',
        owner: 'node_1',
      })
      await isWhole
      await dispatcher.stop(1000)

      assert.deepEqual(arrived, names)
      assert.equal(receiver.sockets.length <= 2, true, `${receiver.sockets.length} connections`)
      assert.equal((await world.deliveries('w')).length, receiver.seen.length)
    })
  })
}
