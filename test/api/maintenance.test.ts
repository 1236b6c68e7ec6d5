import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'

const window = { reason: 'New disks.', retryAfterSeconds: 120 }

describe('A maintenance window', () => {
  it('answers 503 to all but administrators who read, until it is deleted', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme')

    const began = await api.put('/v1/maintenanceWindows/now', window)
    const theirs = await api.get('/v1/contacts', { key })
    const nobody = await api.get('/v1/contacts', { key: null })
    const ours = await api.get('/v1/contacts')
    const write = await api.post('/v1/contacts', { address: '12345' })

    assert.equal(began.status, 200)
    assert.deepEqual(
      [theirs.status, nobody.status, write.status, ours.status],
      [503, 503, 503, 200],
    )
    assert.equal(theirs.headers['retry-after'], '120')
    assert.equal(theirs.json.detail, 'The service is under maintenance. New disks.')
    assert.equal((await api.get('/health/live', { key: null })).status, 200)

    await api.delete('/v1/maintenanceWindows/now')

    assert.equal((await api.get('/v1/contacts', { key })).status, 200)
    assert.equal((await api.get('/v1/contacts', { key: null })).status, 401)
  })

  it('lets an administrator ask long queries, however they come', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme')
    const override = { 'x-http-method-override': 'get' }
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    await api.put('/v1/maintenanceWindows/now', window)

    const json = await api.post('/v1/contacts', { id: 'x' }, { headers: override })
    const asForm = await api.post('/v1/contacts', 'id=x', { headers: form })
    const query = await api.request('QUERY', '/v1/contacts', { id: 'x' })
    const theirs = await api.post('/v1/contacts', { id: 'x' }, { headers: override, key })
    const deleting = { headers: { 'x-http-method-override': 'DELETE' } }
    const write = await api.post('/v1/contacts', 'id=x', deleting)

    assert.deepEqual([json.status, asForm.status, query.status], [200, 200, 200])
    assert.deepEqual([theirs.status, write.status], [503, 503])
  })

  it('opens and closes at its times', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme')
    const times = { startsAt: '2026-01-01T01:00:00Z', endsAt: '2026-01-01T02:00:00Z' }
    const status = async () => (await api.get('/v1/contacts', { key })).status

    await api.post('/v1/maintenanceWindows', times)
    const before = await status()
    await api.clock.advance(3_600_000)
    const within = await status()
    await api.clock.advance(3_600_000)

    assert.deepEqual([before, within, await status()], [200, 503, 200])
  })

  it('ends after it begins, and is the administrator’s alone', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme')
    const times = { startsAt: '2026-01-01T02:00:00Z', endsAt: '2026-01-01T02:00:00Z' }

    const { status, json } = await api.post('/v1/maintenanceWindows', times)

    assert.deepEqual([status, json.errors[0].pointer], [400, '/endsAt'])
    assert.equal((await api.post('/v1/maintenanceWindows', window, { key })).status, 403)
  })

  it('is still open after a restart', async (t) => {
    const first = await startApi(t)
    await first.put('/v1/maintenanceWindows/now', window)

    const second = await startApi(t, { store: first.store })

    assert.equal((await second.get('/v1/contacts', { key: null })).status, 503)
  })
})
