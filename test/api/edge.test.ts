import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { builtIn } from '../../src/collections/built-in.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { standardOffer } from '../../src/wiring/wire.ts'
import { startApi } from '../support/api.ts'

describe('The edge', () => {
  const order: [
    title: string,
    method: string,
    target: string,
    key: string | null,
    status: number,
  ][] = [
    ['an unknown version comes before a missing key', 'GET', '/v9/messages', null, 404],
    ['an unknown collection comes before a missing key', 'GET', '/v1/parcels', null, 404],
    ['a missing key comes before a wrong method', 'PUT', '/v1/messages', null, 401],
    ['a wrong method comes before existence', 'POST', '/v1/messages/none', 'admin', 405],
    ['a nested collection that is not there', 'GET', '/v1/messages/x/parts', 'admin', 404],
    ['a collection that is only there nested', 'GET', '/v1/deliveries', 'admin', 404],
    ['a path with a slash at its end', 'GET', '/v1/messages/', 'admin', 404],
    ['a path that is too deep', 'GET', '/v1/webhooks/a/deliveries/b/c', 'admin', 404],
    [
      'a nested collection of a parent that is not there',
      'GET',
      '/v1/webhooks/a/deliveries',
      'admin',
      404,
    ],
    ['broken percent-encoding', 'GET', '/v1/messages/%zz', 'admin', 400],
    ['an unknown method', 'BREW', '/v1/messages', 'admin', 501],
    ['no version at all', 'GET', '/messages', 'admin', 404],
  ]
  for (const [title, method, target, key, status] of order) {
    it(`answers ${status}: ${title}`, async (t) => {
      const api = await startApi(t)

      const answer = await api.request(method, target, undefined, key === null ? { key } : {})

      assert.equal(answer.status, status)
      assert.equal(answer.headers['content-type'], 'application/problem+json')
      assert.equal(answer.json.status, status)
      assert.equal(answer.json.instance, target)
      assert.equal(answer.json.requestId, answer.headers['x-request-id'])
    })
  }

  it('receives no body before the head is found to be allowed', async (t) => {
    const api = await startApi(t)
    const reader = await api.newAccount('reader', ['contacts:read'])
    let receivedBodies = 0
    const send = async (method: string, target: string, key: string | null, more = {}) => {
      const { status } = await api.handle({
        method,
        target,
        headers: {
          'content-type': 'application/json',
          ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          ...more,
        },
        receive: async () => {
          receivedBodies += 1
          return Buffer.from('{"address":"+491701234567"}')
        },
      })
      return status
    }

    const refused = [
      await send('POST', '/v9/contacts', api.adminKey),
      await send('POST', '/v1/parcels', api.adminKey),
      await send('POST', '/v1/contacts', null),
      await send('POST', '/v1/contacts', 'nuncio_wrong'),
      await send('PUT', '/v1/contacts', api.adminKey),
      await send('POST', '/v1/contacts', reader),
      await send('POST', '/v1/contacts?name=x', api.adminKey),
      await send('POST', '/v1/contacts', api.adminKey, { accept: 'image/png' }),
    ]
    const receivedForRefused = receivedBodies
    const created = await send('POST', '/v1/contacts', api.adminKey)

    assert.deepEqual(refused, [404, 404, 401, 401, 405, 403, 400, 406])
    assert.equal(receivedForRefused, 0)
    assert.deepEqual([created, receivedBodies], [201, 1])
  })

  it('checks the key again after a body that came slowly', async (t) => {
    const api = await startApi(t)
    const { json: key } = await api.post('/v1/keys', { scopes: ['contacts:write'] })
    const send = (whileItComes: () => Promise<unknown>) =>
      api.handle({
        method: 'POST',
        target: '/v1/contacts',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key.secret}` },
        receive: async () => {
          await whileItComes()
          return Buffer.from('{"address":"+491701234567"}')
        },
      })

    const slow = await send(() => api.clock.advance(2000))
    const revoked = await send(async () => {
      await api.delete(`/v1/keys/${key.id}`)
      await api.clock.advance(2000)
    })

    assert.deepEqual([slow.status, revoked.status], [201, 401])
  })

  it('reads a target of 8,000 octets, and not of one more', async (t) => {
    const api = await startApi(t)
    const target = '/v1/contacts?name='.padEnd(8000, 'x')

    const within = await api.get(target)
    const beyond = await api.get(`${target}x`)

    assert.deepEqual([within.status, beyond.status], [200, 414])
  })

  it('says with 405 and OPTIONS which methods a path has', async (t) => {
    const api = await startApi(t)
    await api.post('/v1/webhooks', { url: 'https://example.com/hook' })

    const wrong = await api.put('/v1/contacts', {})
    const options = await api.request('OPTIONS', '/v1/contacts', undefined, { key: null })
    const instance = await api.request('OPTIONS', '/v1/contacts/x', undefined, { key: null })
    const readOnly = await api.request('OPTIONS', '/v1/webhooks/x/deliveries/y', undefined, {
      key: null,
    })

    assert.deepEqual([wrong.status, options.status], [405, 204])
    assert.equal(wrong.headers['allow'], 'GET, HEAD, POST, QUERY, OPTIONS')
    assert.equal(options.headers['allow'], 'GET, HEAD, POST, QUERY, OPTIONS')
    assert.equal(instance.headers['allow'], 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS')
    assert.equal(readOnly.headers['allow'], 'GET, HEAD, OPTIONS')
  })

  it('names POST where it asks a long query and creates nothing', async (t) => {
    const api = await startApi(t)
    const override = { headers: { 'x-http-method-override': 'GET' } }

    const options = await api.request('OPTIONS', '/v1/credits')
    const query = await api.post('/v1/credits', {}, override)
    const create = await api.post('/v1/credits', {})

    assert.equal(options.headers['allow'], 'GET, HEAD, POST, QUERY, OPTIONS')
    assert.deepEqual([query.status, create.status], [200, 405])
    assert.equal(create.headers['allow'], 'GET, HEAD, POST, QUERY, OPTIONS')
    assert.equal(
      create.json.detail,
      'POST creates nothing here. Send a query as a form or with X-HTTP-Method-Override: GET.',
    )
  })

  it('refuses a long query whose value is an object, whatever that calls its members', async (t) => {
    const api = await startApi(t)
    const override = { headers: { 'x-http-method-override': 'GET' } }

    for (const given of [{ toString: 'y' }, [{ toString: null, valueOf: 1 }], [['a']]]) {
      const { status, json } = await api.post('/v1/contacts', { name: given }, override)

      assert.equal(status, 400)
      assert.deepEqual(json.errors, [
        { parameter: 'name', detail: 'must be a text, a number, true, false or null' },
      ])
    }
  })

  it('creates nothing with a POST that is to be a GET, where there is no GET', async (t) => {
    const fields = { place: text({ nullable: true }) }
    const methods = { collection: ['POST'], instance: ['GET'] } as const
    const declared = { name: 'visits', noun: 'visit', description: 'A visit.', fields, methods }
    const offer = { ...standardOffer, collections: [...builtIn, collection(declared)] }
    const api = await startApi(t, { offer })
    const override = { headers: { 'x-http-method-override': 'GET' } }

    const refused = await api.post('/v1/visits', {}, override)

    assert.deepEqual([refused.status, refused.headers['allow']], [405, 'POST, OPTIONS'])
  })

  it('says with OPTIONS * what the service as a whole knows', async (t) => {
    const api = await startApi(t)

    const asked = await api.request('OPTIONS', '*', undefined, { key: null })
    const got = await api.request('GET', '*', undefined, { key: null })

    assert.equal(asked.headers['allow'], 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS, QUERY')
    assert.deepEqual([asked.status, got.status], [204, 405])
  })

  it('refuses what accepts no JSON', async (t) => {
    const api = await startApi(t)
    const status = async (accept: string) =>
      (await api.get('/v1/contacts', { headers: { accept } })).status

    assert.equal(await status('text/html'), 406)
    assert.equal(await status('application/json;q=0'), 406)
    assert.equal(await status('text/html, application/*;q=0.1'), 200)
    assert.equal(await status('*/*'), 200)
  })

  it('takes a POST for a GET whose body is empty, and of no type, for a list without parameters', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/contacts/ada', { address: '111' })
    const headers = { 'x-http-method-override': 'GET' }

    const listed = await api.request('POST', '/v1/contacts', undefined, { headers })
    const untyped = await api.request('QUERY', '/v1/contacts')

    assert.deepEqual([listed.status, listed.json.length], [200, 1])
    assert.equal(untyped.status, 415)
  })

  it('takes a URI of 8,000 octets, and answers 414 to one more', async (t) => {
    const api = await startApi(t)
    const ofOctets = (count: number): string => {
      const begin = '/v1/contacts?name=%C3%A4'
      return begin + 'x'.repeat(count - begin.length)
    }

    const within = await api.get(ofOctets(8000))
    const beyond = await api.get(ofOctets(8001))

    assert.deepEqual([within.status, within.json], [200, []])
    assert.deepEqual([beyond.status, beyond.json.type], [414, '/problems/uri-too-long'])
  })

  it('answers 414 to a long URI, and takes the same parameters in a body', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/contacts/ada', { address: '111', name: 'Ada', tags: ['a', 'b'] })
    await api.put('/v1/contacts/bob', { address: '222', name: 'Bob' })
    const padding = Array.from({ length: 1200 }, (_, index) => `id=${index}`).join('&')

    const long = await api.get(`/v1/contacts?${padding}`)
    const short = await api.get('/v1/contacts?name=Ada&name=Bob&sort=name_desc')
    const forms = [
      await api.post(
        '/v1/contacts',
        { name: ['Ada', 'Bob'], sort: 'name_desc' },
        { headers: { 'x-http-method-override': 'GET' } },
      ),
      await api.post('/v1/contacts', 'name=Ada&name=Bob&sort=name_desc', {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
      await api.request('QUERY', '/v1/contacts', { name: ['Ada', 'Bob'], sort: 'name_desc' }),
    ]

    assert.equal(long.status, 414)
    assert.match(long.json.detail, /X-HTTP-Method-Override/)
    assert.deepEqual(
      short.json.map(({ id }: { id: string }) => id),
      ['bob', 'ada'],
    )
    for (const form of forms) assert.deepEqual([form.status, form.text], [200, short.text])
    assert.equal((await api.get('/v1/contacts')).json.length, 2)
  })

  it('says what to send to who sends JSON as a form, as curl does unasked', async (t) => {
    const api = await startApi(t)

    const { status, json } = await api.post('/v1/contacts', '{"address":"111"}', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })

    assert.equal(status, 415)
    assert.match(json.detail, /Send Content-Type: application\/json/)
  })

  it('reads a form in a time that grows with its length', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/contacts/ada', { address: '111', name: '' })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }

    const before = process.cpuUsage()
    const many = await api.post('/v1/contacts', 'a&'.repeat(19_000), { headers })
    const { user } = process.cpuUsage(before)
    const few = await api.post('/v1/contacts', '&name&&', { headers })

    assert.deepEqual([many.status, many.json.errors.length], [400, 100])
    assert.ok(user < 1_000_000, `it took ${user} µs of the processor`)
    assert.deepEqual([few.status, few.json.length], [200, 1])
  })

  it('bounds its links: a long query is repeated with the place alone', async (t) => {
    const api = await startApi(t)
    for (const id of ['a', 'b', 'c']) await api.put(`/v1/contacts/${id}`, { address: '111' })
    const names = Array.from({ length: 1000 }, (_, index) => `name ${index}`)
    const override = { headers: { 'x-http-method-override': 'GET' } }

    const query = { id_ne: names, pageSize: 2 }
    const first = await api.post('/v1/contacts?sort=id_asc', query, override)
    const uri = await api.get(`/v1/contacts?pageSize=1&id_ne=${'x'.repeat(7000)}`)

    const link = first.headers['link'] ?? ''
    assert.match(
      link,
      /^<\/v1\/contacts\?sort=id_asc>; rel="first", <[^>]*\?sort=id_asc&after=[^>]*>; rel="next"$/,
    )
    const rest = await api.post(/<([^>]*)>; rel="next"/.exec(link)?.[1] ?? '', query, override)
    assert.deepEqual(
      rest.json.map(({ id }: { id: string }) => id),
      ['c'],
    )
    assert.equal(uri.headers['link']?.match(/rel=/g)?.length, 1)
  })

  it('lists its collections at the version, and itself at the root', async (t) => {
    const api = await startApi(t)

    const [root, version] = [await api.get('/', { key: null }), await api.get('/v1', { key: null })]

    assert.equal(root.json.versions.v1, '/v1')
    assert.equal(version.json.collections.messages, '/v1/messages')
    assert.equal(version.json.collections.notifications, '/v1/notifications')
  })

  it('leads browsers from its root to the console', async (t) => {
    const api = await startApi(t)
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8'

    const { status, headers } = await api.get('/', { key: null, headers: { accept } })

    assert.deepEqual([status, headers['location'], headers['vary']], [303, '/console', 'Accept'])
    assert.match(
      (await api.get('/console', { key: null })).headers['content-type'] ?? '',
      /^text\/html/,
    )
  })

  it('names requests so that nobody can count those of others', async (t) => {
    const api = await startApi(t)

    const ids = await Promise.all(
      Array.from({ length: 100 }, async () => (await api.get('/v1')).headers['x-request-id'] ?? ''),
    )

    assert.equal(new Set(ids).size, 100)
    assert.notDeepEqual(ids, ids.toSorted())
    for (const id of ids) assert.match(id, /^request_[0-9a-f]{17}$/)
  })

  it('has a page for every problem that it names', async (t) => {
    const api = await startApi(t)

    const { json } = await api.get('/v1/contacts', { key: null })
    const page = await api.get(json.type, { key: null })

    assert.deepEqual([page.status, page.json.status, page.json.title], [200, 401, 'Unauthorized'])
  })

  it('is live and ready', async (t) => {
    const api = await startApi(t)

    assert.equal((await api.get('/health/live', { key: null })).status, 200)
    assert.deepEqual((await api.get('/health/ready', { key: null })).json, { status: 'ready' })
  })

  it('counts its answers for Prometheus', async (t) => {
    const api = await startApi(t)
    await api.get('/v1/contacts')
    await api.get('/v1/contacts', { key: null })

    const { status, headers, text } = await api.get('/metrics', { key: null })

    assert.deepEqual(
      [status, headers['content-type']],
      [200, 'text/plain; version=0.0.4; charset=utf-8'],
    )
    for (const status of [200, 401]) {
      const labels = `http_request_method="GET",http_response_status_code="${status}"`
      const line = `http_server_request_duration_seconds_count{${labels}} 1`
      assert.ok(text.split('\n').includes(line), text)
    }
  })
})
