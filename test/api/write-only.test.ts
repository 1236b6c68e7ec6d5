import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'

describe('A key that writes and does not read', () => {
  it('is shown what it makes', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('ours', ['contacts:write'])

    const posted = await api.post('/v1/contacts', { address: '12345' }, { key })
    const put = await api.put('/v1/contacts/c', { address: '12345' }, { key })

    assert.deepEqual([posted.status, posted.json.address], [201, '12345'])
    assert.deepEqual([put.status, put.json.address], [200, '12345'])
    assert.match(put.headers['etag'] ?? '', /^"/)
  })

  it('is shown nothing of what there was, not even by an empty PATCH', async (t) => {
    const api = await startApi(t)
    const all = await api.newAccount('ours')
    const made = await api.post('/v1/keys', { scopes: ['contacts:write'] }, { key: all })
    const key = made.json.secret ?? ''
    const other = await api.newAccount('writer', ['contacts:write'])
    const contact = { name: 'Secret', address: '12345' }
    await api.put('/v1/contacts/c', contact, { key })

    const answers = [
      await api.patch('/v1/contacts/c', {}, { key }),
      await api.patch('/v1/contacts/c', { address: '54321' }, { key }),
      await api.put('/v1/contacts/c', contact, { key }),
    ]

    for (const { status, text, headers } of answers) {
      assert.deepEqual([status, text, headers['etag']], [200, '{"id":"c"}', undefined])
    }
    assert.equal((await api.get('/v1/contacts/c', { key })).status, 403)
    assert.equal((await api.patch('/v1/contacts/c', {}, { key: other })).status, 404)
    assert.equal((await api.get('/v1/contacts/c', { key: all })).json.name, 'Secret')
  })

  it('is shown a secret that it makes anew', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('ours', ['webhooks:write'])
    await api.put('/v1/webhooks/w', { url: 'https://example.com/' }, { key })

    const { json, headers } = await api.patch('/v1/webhooks/w', { secret: null }, { key })

    assert.deepEqual(Object.keys(json), ['id', 'secret'])
    assert.equal(headers['etag'], undefined)
  })
})
