import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type Read } from '../support/api.ts'

const formType = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

/** The parameters that a refusal names, in their order. */
function parameters({ status, json }: Read): readonly string[] {
  assert.deepEqual([status, json.type], [400, '/problems/invalid-parameter'])
  return json.errors.map(({ parameter }: { parameter: string }) => parameter)
}

describe('A query', () => {
  it('is refused where it is not percent-encoded UTF-8, and the parameter is named', async (t) => {
    const api = await startApi(t)

    const refused = await api.get('/v1/messages?body=%&to=12345&from=%zz&encoding=%C3&%ff=1')

    assert.deepEqual(parameters(refused), ['body', 'from', 'encoding', '%ff'])
    assert.deepEqual(parameters(await api.get('/v1/notifications?types=%')), ['types'])
    assert.deepEqual(parameters(await api.post('/v1/messages', 'body=%', formType)), ['body'])
  })

  it('is read as browsers write it', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/contacts/c', { address: '12345', name: 'Åsa & Éva 100%' })

    for (const query of [
      'name=%C3%85sa+%26+%C3%89va+100%25',
      '&&name=%c3%85sa%20%26%20%C3%89va%20100%25&',
      'n%61me=Åsa+%26+Éva+100%25',
    ]) {
      assert.equal((await api.get(`/v1/contacts?${query}`)).json.length, 1, query)
      assert.equal((await api.post('/v1/contacts', query, formType)).json.length, 1, query)
    }
    assert.deepEqual(parameters(await api.get('/v1/contacts?flag')), ['flag'])
  })

  it('in a body has at most 20,000 parameters', async (t) => {
    const api = await startApi(t)

    const { status, json } = await api.post('/v1/contacts', 'a=1&'.repeat(20_001), formType)

    assert.deepEqual([status, json.detail], [400, 'There are more than 20000 parameters.'])
  })

  it('in a body is UTF-8', async (t) => {
    const api = await startApi(t)

    const { status } = await api.post('/v1/contacts', Buffer.from('name=\xc3', 'latin1'), formType)

    assert.equal(status, 400)
  })

  it('says of one instance which fields it shows, and nothing else', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/contacts/c', { address: '12345', name: 'Ada' })
    await api.put('/v1/groups/g', { name: 'G' })
    await api.post('/v1/groups/g/contacts', { id: 'c' })

    const whole = await api.get('/v1/contacts/c')
    for (const path of ['/v1/contacts/c', '/v1/groups/g/contacts/c']) {
      const some = await api.get(`${path}?fields=name,tags`)
      assert.deepEqual(some.json, { id: 'c', name: 'Ada', tags: [] })
      assert.equal(some.headers['etag'], whole.headers['etag'])
      assert.deepEqual(parameters(await api.get(`${path}?name=Ada&page=1`)), ['name', 'page'])
      assert.deepEqual(parameters(await api.get(`${path}?fields=colour`)), ['fields'])
    }
  })

  it('is refused of a write, which would pass it over', async (t) => {
    const api = await startApi(t)
    const body = { address: '12345' }

    for (const [method, path] of [
      ['POST', '/v1/contacts'],
      ['PUT', '/v1/contacts/c'],
      ['PATCH', '/v1/contacts/c'],
      ['DELETE', '/v1/contacts/c'],
    ] as const) {
      const refused = await api.request(method, `${path}?dryRun=true&force`, body)
      assert.deepEqual(parameters(refused), ['dryRun', 'force'], method)
    }
    assert.deepEqual((await api.get('/v1/contacts')).json, [])
  })

  it('overrides the method POST with GET, and with no other', async (t) => {
    const api = await startApi(t)

    const { status, json } = await api.post(
      '/v1/contacts',
      { address: '12345' },
      { headers: { 'x-http-method-override': 'DELETE' } },
    )

    assert.deepEqual([status, json.type], [400, '/problems/invalid-request'])
    assert.match(json.detail, /can only be GET/)
  })
})
