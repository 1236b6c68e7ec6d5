import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'

const page = { origin: 'https://app.example' }
const preflight = {
  ...page,
  'access-control-request-method': 'PUT',
  'access-control-request-headers': 'authorization, content-type',
}

describe('A page of another origin', () => {
  it('may call where the operator lists its origin', async (t) => {
    const api = await startApi(t, { config: { corsOrigins: ['https://app.example'] } })

    const asked = await api.request('OPTIONS', '/v1/contacts/x', undefined, {
      key: null,
      headers: preflight,
    })
    const got = await api.get('/v1/contacts', { headers: page })
    const refused = await api.get('/v1/contacts', { key: null, headers: page })

    assert.equal(asked.status, 204)
    assert.equal(asked.headers['access-control-allow-origin'], 'https://app.example')
    assert.match(asked.headers['access-control-allow-methods'] ?? '', /PUT/)
    assert.equal(asked.headers['access-control-allow-headers'], 'authorization, content-type')
    assert.equal(got.headers['access-control-allow-origin'], 'https://app.example')
    assert.match(got.headers['access-control-expose-headers'] ?? '', /ETag.*Link/)
    assert.equal(got.headers['vary'], 'Origin')
    assert.equal(refused.headers['access-control-allow-origin'], 'https://app.example')
  })

  it('may not where it does not, or lists none', async (t) => {
    const listed = await startApi(t, { config: { corsOrigins: ['https://app.example'] } })
    const none = await startApi(t)

    const other = await listed.get('/v1/contacts', { headers: { origin: 'https://evil.example' } })
    const unlisted = await none.get('/v1/contacts', { headers: page })

    for (const { headers } of [other, unlisted])
      assert.equal('access-control-allow-origin' in headers, false)
  })

  it('may from everywhere where the operator says so', async (t) => {
    const api = await startApi(t, { config: { corsOrigins: ['*'] } })

    const { headers } = await api.get('/v1/contacts', { headers: page })

    assert.equal(headers['access-control-allow-origin'], '*')
    assert.equal('vary' in headers, false)
  })
})
