import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { broadcastStores, startBroadcasts } from './support/broadcast-api.ts'

const [one, two, three] = ['+4915112345671', '+4915112345672', '+4915112345673']
const isDone = ({ state }: { state: string }): boolean => state === 'DONE'

for (const [kind, skip] of broadcastStores) {
  describe(`a broadcast, over the ${kind} store`, { skip }, () => {
    it('makes a message for each recipient, whose values stand in its text', async (t) => {
      const api = await startBroadcasts(t, kind)
      await api.group('friends', 2, (at) => ({ attributes: { city: `City ${at}` } }))
      await api.put('/v1/contacts/ada', { name: 'Ada', address: two })

      const made = await api.broadcast({
        from: 'Shop',
        to: { addresses: [one], contacts: ['ada'], group: 'friends' },
        body: 'Dear {{name|customer}} of {{attributes.city|the world}}',
        userSuppliedId: 'spring',
        validUntil: '2026-01-02T00:00:00Z',
      })
      const done = await api.until(made.id, isDone)

      assert.deepEqual([made.state, done.stateReason], ['RUNNING', null])
      assert.deepEqual([done.recipients.seen, done.recipients.messages], [4, 4])
      assert.deepEqual([done.creditCost, done.estimate.creditCost], [4, 4])
      const messages = await api.messagesOf(made.id)
      assert.deepEqual(
        messages.map(({ to, body }) => [to, body]),
        [
          [one, 'Dear customer of the world'],
          [two, 'Dear Ada of the world'],
          ['+491510000000', 'Dear No 0 of City 0'],
          ['+491510000001', 'Dear No 1 of City 1'],
        ],
      )
      const [{ from, userSuppliedId, validUntil, priority, carrier }] = messages
      assert.deepEqual(
        [from, userSuppliedId, validUntil, priority, carrier],
        ['Shop', 'spring', '2026-01-02T00:00:00.000Z', 0, 'carrier_simulator'],
      )
      const ended = await api.until(made.id, ({ messageCounts }) => messageCounts.delivered === 4)
      assert.equal(ended.messageCounts.accepted + ended.messageCounts.sent, 0)
    })

    it('sends an address once, and counts why others get nothing', async (t) => {
      const api = await startBroadcasts(t, kind)
      const long = 'x'.repeat(300)
      await api.post('/v1/optOuts', { address: two })
      await api.post('/v1/optOuts', { address: three, sender: 'Other' })
      await api.put('/v1/contacts/nameless', { address: '+4915112345681' })
      await api.put('/v1/contacts/long', { address: '+4915112345682', name: long.slice(0, 170) })
      await api.put('/v1/contacts/foreign', { address: '+4915112345683', name: '猫' })
      await api.put('/v1/contacts/again', { address: one, name: 'Again' })
      await api.put('/v1/contacts/leaving', { address: '+4915112345684', name: 'Leaving' })
      const contacts = ['nameless', 'long', 'foreign', 'again', 'leaving']

      const made = await api.broadcast({
        from: 'Shop',
        to: { addresses: [one, two, three, one], contacts },
        body: '{{name|x}}',
        encoding: 'TEXT',
        maxParts: 1,
        scheduledAt: '2026-01-01T01:00:00Z',
      })
      await api.patch(`/v1/broadcasts/${made.id}`, { body: '{{name}}' })
      await api.patch(`/v1/broadcasts/${made.id}`, { body: 'Hello {{address}} {{name|}}' })
      await api.delete('/v1/contacts/leaving')
      await api.clock.advance(3_600_000)
      const done = await api.until(made.id, isDone)

      assert.deepEqual(done.recipients, {
        seen: 9,
        messages: 3,
        duplicate: 2,
        optedOut: 1,
        missingValue: 0,
        tooLong: 1,
        unencodable: 1,
        contactGone: 1,
      })
      const messages = await api.messagesOf(made.id)
      assert.deepEqual(
        messages.map(({ to }) => to),
        [one, three, '+4915112345681'],
      )
    })

    it('skips who has no value for a placeholder, rather than send half a sentence', async (t) => {
      const api = await startBroadcasts(t, kind)
      await api.group('friends', 3, (at) => (at === 1 ? { name: null } : {}))

      const made = await api.broadcast({ to: { group: 'friends' }, body: 'Dear {{name}},' })
      const done = await api.until(made.id, isDone)

      assert.equal(made.estimate.messages, 2)
      assert.deepEqual([done.recipients.messages, done.recipients.missingValue], [2, 1])
    })

    it('is made in slices, all of a group in the order of its contacts', async (t) => {
      const api = await startBroadcasts(t, kind)
      await api.group('many', 130)

      const { id } = await api.broadcast({ to: { group: 'many' }, body: '{{name}}' })
      await api.until(id, isDone)
      await api.until(id, ({ messageCounts }) => messageCounts.delivered === 130)

      const bodies = (await api.messagesOf(id)).map(({ body }) => body)
      assert.deepEqual(
        bodies,
        Array.from({ length: 130 }, (_, at) => `No ${at}`),
      )
      const page = await api.get(
        `/v1/broadcasts/${id}/messages?status.type=DELIVERED&to=%2B491510000007`,
      )
      assert.deepEqual([page.json.length, page.json[0].body], [1, 'No 7'])
      const counted = await api.get(`/v1/broadcasts/${id}/messages?pageSize=1`, {
        headers: { prefer: 'count=exact' },
      })
      assert.equal(counted.headers['x-total-count'], '130')
    })

    it('waits for its time, and can be changed until then', async (t) => {
      const api = await startBroadcasts(t, kind)
      const path = (id: string): string => `/v1/broadcasts/${id}`
      const made = await api.broadcast({
        to: { addresses: [one] },
        body: 'early',
        scheduledAt: '2026-01-01T01:00:00Z',
      })

      const body = { body: 'late', scheduledAt: '2026-01-01T02:00:00Z', to: { addresses: [two] } }
      const changed = await api.patch(path(made.id), body)
      await api.clock.advance(5_400_000)
      const before = await api.read(made.id)
      await api.clock.advance(1_800_000)
      const done = await api.until(made.id, isDone)

      assert.deepEqual([made.state, changed.json.state, before.state], Array(3).fill('SCHEDULED'))
      assert.deepEqual([before.startedAt, before.recipients.seen], [null, 0])
      assert.ok(done.startedAt >= '2026-01-01T02:00:00.000Z')
      const messages = await api.messagesOf(made.id)
      assert.deepEqual(
        messages.map(({ to, body }) => [to, body]),
        [[two, 'late']],
      )
      const refused = await api.patch(path(made.id), { body: 'too late' })
      assert.equal(refused.status, 409)
      assert.equal((await api.patch(path(made.id), { name: 'Spring' })).json.name, 'Spring')
    })

    it('is paused, goes on and is cancelled, and what waits is cancelled with it', async (t) => {
      const api = await startBroadcasts(t, kind)
      await api.group('many', 130)
      const carrier = { type: 'SIMULATOR', active: false }
      const { json } = await api.post('/v1/carriers', carrier)
      const to = { group: 'many' }
      const { id } = await api.broadcast({ to, body: 'hello', carrier: json.id })
      const path = `/v1/broadcasts/${id}`

      await api.until(id, ({ recipients }) => recipients.seen >= 100)
      const paused = await api.patch(path, { state: 'PAUSED' })
      await api.clock.advance(10_000)
      const still = await api.read(id)
      const goes = await api.patch(path, { state: 'RUNNING' })
      await api.until(id, isDone)
      const cancelled = await api.patch(path, { state: 'CANCELLED' })
      const ended = await api.until(id, ({ messageCounts }) => messageCounts.cancelled === 130)

      const isPaused = paused.status === 200
      assert.equal(still.recipients.seen, isPaused ? paused.json.recipients.seen : 130)
      assert.equal(goes.status, isPaused ? 200 : 409)
      assert.deepEqual([cancelled.status, cancelled.json.state], [200, 'CANCELLED'])
      assert.equal(ended.messageCounts.accepted, 0)
      assert.equal((await api.patch(path, { state: 'RUNNING' })).status, 409)
      assert.equal((await api.patch(path, { state: 'CANCELLED' })).status, 200)
    })

    it('counts what becomes of its messages one by one', async (t) => {
      const api = await startBroadcasts(t, kind)
      const { json } = await api.post('/v1/carriers', { type: 'SIMULATOR', active: false })
      const addresses = [one, two, three]
      const { id } = await api.broadcast({ to: { addresses }, body: 'hello', carrier: json.id })
      await api.until(id, isDone)
      const [first, second] = await api.messagesOf(id)

      await api.patch(`/v1/messages/${first.id}`, { status: { type: 'CANCELLED' } })
      await api.delete(`/v1/messages/${second.id}`)
      const after = await api.read(id)
      await api.patch(`/v1/carriers/${json.id}`, { active: true })
      const ended = await api.until(id, ({ messageCounts }) => messageCounts.delivered === 1)

      assert.deepEqual([after.messageCounts.accepted, after.messageCounts.cancelled], [1, 1])
      assert.deepEqual([ended.messageCounts.accepted, ended.messageCounts.sent], [0, 0])
      assert.equal((await api.messagesOf(id)).length, 2)
      assert.equal(ended.recipients.messages, 3)
    })
  })
}
