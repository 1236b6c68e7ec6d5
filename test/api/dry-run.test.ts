import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { storeKinds, startOver } from './support/over-stores.ts'

const dry = { headers: { prefer: 'handling=dry-run' } }
const hello = { to: '+4915112345678', body: 'hello' }

for (const kind of storeKinds) {
  describe(`a dry run, over the ${kind} store`, () => {
    it('answers 200 with the message as it would be, and makes nothing', async (t) => {
      const api = await startOver(t, kind)

      const shown = await api.post('/v1/messages', { ...hello, body: '€'.repeat(200) }, dry)
      await api.clock.advance(60_000)

      assert.equal(shown.status, 200)
      assert.equal(shown.headers['preference-applied'], 'handling=dry-run')
      assert.equal(shown.headers['location'], undefined)
      assert.equal(shown.headers['etag'], undefined)
      const { numberOfParts, encoding, creditCost, from, status } = shown.json
      assert.deepEqual(
        { numberOfParts, encoding, creditCost, from, status },
        {
          numberOfParts: 3,
          encoding: 'TEXT',
          creditCost: 3,
          from: 'Nuncio',
          status: { id: 'ACCEPTED.null', type: 'ACCEPTED' },
        },
      )
      assert.deepEqual((await api.get('/v1/messages')).json, [])
      assert.deepEqual((await api.get('/v1/notifications')).json, [])
      assert.equal((await api.get(`/v1/messages/${shown.json.id}`)).status, 404)
    })

    it('is refused as the request itself would be', async (t) => {
      const api = await startOver(t, kind)
      const bad = { to: 'nobody', body: 'ж', encoding: 'TEXT', wrong: 1 }

      const real = await api.post('/v1/messages', bad)
      const shown = await api.post('/v1/messages', bad, dry)

      assert.equal(shown.status, 400)
      assert.deepEqual(shown.json.errors, real.json.errors)
      assert.equal((await api.post('/v1/messages', hello, { ...dry, key: null })).status, 401)
    })

    it('of a change shows it and leaves the instance as it was', async (t) => {
      const api = await startOver(t, kind)
      const scheduledAt = '2026-06-01T00:00:00.000Z'
      const made = await api.put('/v1/messages/m1', { ...hello, scheduledAt })

      const patched = await api.patch('/v1/messages/m1', { body: 'ж'.repeat(71) }, dry)
      const put = await api.put('/v1/messages/m2', hello, dry)
      const cancelled = await api.patch('/v1/messages/m1', { status: { type: 'CANCELLED' } }, dry)

      assert.deepEqual([patched.status, patched.json.numberOfParts], [200, 2])
      assert.deepEqual([put.status, put.json.id], [200, 'm2'])
      assert.equal(cancelled.json.status.id, 'CANCELLED.null')
      assert.equal((await api.get('/v1/messages/m1')).text, made.text)
      assert.equal((await api.get('/v1/messages/m2')).status, 404)
    })

    it('of a removal says that it would be done, and removes nothing', async (t) => {
      const api = await startOver(t, kind)
      const scheduledAt = '2026-06-01T00:00:00.000Z'
      await api.put('/v1/messages/m1', { ...hello, scheduledAt })
      await api.put('/v1/contacts/ann', { address: '+4915112345678' })
      await api.put('/v1/groups/g', { name: 'g' })
      await api.post('/v1/groups/g/contacts', { id: 'ann' })
      await api.put('/v1/accounts/acme', { name: 'Acme', active: false })
      const targets = [
        '/v1/messages/m1',
        '/v1/groups/g/contacts/ann',
        '/v1/contacts/ann',
        '/v1/groups/g',
        '/v1/accounts/acme',
      ]

      for (const target of targets) {
        const shown = await api.delete(target, dry)

        assert.deepEqual([target, shown.status, shown.text], [target, 204, ''])
        assert.equal(shown.headers['preference-applied'], 'handling=dry-run')
        assert.equal((await api.get(target)).status, 200)
      }
    })

    it('of a removal that would fail answers what it would', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/accounts/acme', { name: 'Acme' })
      const stale = { headers: { ...dry.headers, 'if-match': '"stale"' } }

      const missing = await api.delete('/v1/contacts/nobody', dry)
      const inUse = await api.delete('/v1/accounts/acme', dry)
      const changed = await api.delete('/v1/accounts/acme', stale)

      assert.deepEqual([missing.status, inUse.status, changed.status], [404, 409, 412])
    })

    it('is offered by every collection, and takes no idempotency key', async (t) => {
      const api = await startOver(t, kind)
      const headers = { ...dry.headers, 'idempotency-key': 'k1' }
      await api.put('/v1/groups/g', { name: 'g' })

      const shown = await api.post('/v1/contacts', { address: '+4915112345678' }, { headers })
      const member = await api.post('/v1/groups/g/contacts', { address: '+4915112345678' }, dry)
      const real = await api.post(
        '/v1/contacts',
        { address: '+4915187654321' },
        {
          headers: { 'idempotency-key': 'k1' },
        },
      )

      assert.deepEqual([shown.status, member.status, real.status], [200, 200, 201])
      assert.equal((await api.get('/v1/contacts')).json.length, 1)
      assert.deepEqual((await api.get('/v1/groups/g/contacts')).json, [])
    })
  })
}

describe('the preference handling', () => {
  for (const prefer of [
    'handling=lenient',
    'handling="dry run"',
    'wait=10; handling=dry-run',
    'x="a, handling=dry-run"',
    'x; y=", handling=dry-run"',
    'handling',
  ]) {
    it(`of ${prefer} is passed over`, async (t) => {
      const api = await startOver(t, 'memory')

      const made = await api.post('/v1/messages', hello, { headers: { prefer } })

      assert.equal(made.status, 201)
      assert.equal(made.headers['preference-applied'], undefined)
    })
  }

  for (const prefer of [
    'Handling="dry-run"',
    'respond-async, handling = dry-run; x=1',
    ', ,handling=dry-run,',
    'handling=DRY-RUN',
    'handling=strict, handling=dry-run',
    'handling=dry-run, handling=lenient',
  ]) {
    it(`of ${prefer} is followed`, async (t) => {
      const api = await startOver(t, 'memory')

      const shown = await api.post('/v1/messages', hello, { headers: { prefer } })

      assert.equal(shown.status, 200)
    })
  }

  it('changes nothing about reading', async (t) => {
    const api = await startOver(t, 'memory')
    await api.put('/v1/contacts/ann', { address: '+4915112345678' })

    const read = await api.get('/v1/contacts/ann', dry)

    assert.equal(read.status, 200)
    assert.equal(read.headers['preference-applied'], undefined)
  })
})
