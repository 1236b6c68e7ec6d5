import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'

const parameters = { tags: ['a', 'b'], sort: 'name_desc', pageSize: 1, fields: 'name' }
const asQuery = 'tags=a&tags=b&sort=name_desc&pageSize=1&fields=name'
const override = { headers: { 'x-http-method-override': 'GET' } }

async function start(t: TestContext): Promise<TestApi> {
  const api = await startApi(t)
  for (const [name, tag] of [
    ['Ann', 'a'],
    ['Ben', 'b'],
    ['Cleo', 'c'],
    ['Dora', 'a'],
  ]) {
    await api.put(`/v1/contacts/${name}`, { name, address: '12345', tags: [tag] })
  }
  return api
}

const next = (link: string | undefined): string =>
  /<([^<>]+)>; rel="next"/.exec(link ?? '')?.[1] ?? ''

describe('The Link of a long query', () => {
  it('is that of the GET, whichever way the query came', async (t) => {
    const api = await start(t)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

    const got = await api.get(`/v1/contacts?${asQuery}`)
    const others = [
      await api.post('/v1/contacts', parameters, override),
      await api.post('/v1/contacts', asQuery, form),
      await api.request('QUERY', '/v1/contacts', parameters),
    ]

    for (const { text, headers } of others) {
      assert.deepEqual([text, headers['link']], [got.text, got.headers['link']])
    }
  })

  it('can be followed with GET, and with the same body once more', async (t) => {
    const api = await start(t)
    const first = await api.post('/v1/contacts', { ...parameters, page: 1 }, override)
    const target = next(first.headers['link'])

    const second = await api.get(target)
    const again = await api.post(target, { ...parameters, page: 1 }, override)

    assert.deepEqual(first.json, [{ id: 'Dora', name: 'Dora' }])
    assert.deepEqual(second.json, [{ id: 'Ben', name: 'Ben' }])
    assert.deepEqual(again.json, second.json)
  })

  it('names the cursor alone where a GET could not follow it', async (t) => {
    const api = await start(t)
    const id = [...Array.from({ length: 900 }, (_, index) => `nobody-${index}`), 'Ann', 'Ben']
    const body = { id, sort: 'name_asc', pageSize: 1 }

    const first = await api.post('/v1/contacts', body, override)
    const second = await api.post(next(first.headers['link']), body, override)

    assert.match(next(first.headers['link']), /^\/v1\/contacts\?after=[\w-]+$/)
    assert.deepEqual([first.json[0].name, second.json[0].name], ['Ann', 'Ben'])
  })
})

describe('A long query', () => {
  it('with an empty array is refused: it would select everything', async (t) => {
    const api = await start(t)
    const detail = 'must not be an empty array; give a value or omit it'

    for (const name of ['id', 'id_ne', 'tags', 'sort', 'fields', 'search', 'page']) {
      const posted = await api.post('/v1/contacts', { [name]: [] }, override)
      const queried = await api.request('QUERY', '/v1/contacts', { [name]: [] })

      assert.deepEqual([posted.status, queried.status], [400, 400])
      assert.deepEqual(posted.json.errors, [{ parameter: name, detail }])
      assert.deepEqual(queried.json.errors, posted.json.errors)
    }
  })
})
