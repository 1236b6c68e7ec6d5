import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { systemClock } from '../../src/core/ports/clock.ts'
import { bytesInFlight } from '../../src/http/server/bytes-in-flight.ts'
import { serve } from '../../src/http/server/server.ts'
import { startApi } from '../support/api.ts'

describe('A body of another media type', () => {
  for (const type of ['application/json, text/plain', '', ';', 'text/plain', 'application']) {
    it(`is answered 415 with what is taken: ${JSON.stringify(type)}`, async (t) => {
      const api = await startApi(t)
      await api.put('/v1/contacts/c', { address: '12345' })
      const address = { host: '127.0.0.1', port: 0, maxConnections: 1000 }
      const parts = {
        newRequestId: () => 'request_1',
        clock: systemClock,
        inFlight: bytesInFlight(),
      }
      const server = await serve(api.handle, address, parts)
      t.after(() => server.close())
      const send = (method: string, path: string, key = api.adminKey): Promise<string> =>
        raw(
          server.url,
          `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n` +
            `content-type: ${type}\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
        )

      const [posted, patched, queried, unknown] = [
        await send('POST', '/v1/contacts'),
        await send('PATCH', '/v1/contacts/c'),
        await send('QUERY', '/v1/contacts'),
        await send('POST', '/v1/contacts', 'nuncio_key_x_none'),
      ]

      assert.match(posted, /^HTTP\/1.1 415 [^]*\r\naccept-post: application\/json\r\n/i)
      assert.match(
        patched,
        /^HTTP\/1.1 415 [^]*\r\naccept-patch: application\/merge-patch\+json, /i,
      )
      assert.match(queried, /^HTTP\/1.1 415 [^]*\r\naccept-query: application\/json, /i)
      assert.match(unknown, /^HTTP\/1.1 401 /)
    })
  }
})

describe('A body with a content coding', () => {
  for (const coding of ['gzip', 'deflate', 'br', 'identity, gzip', 'x']) {
    it(`is answered 415 with what is taken: ${coding}`, async (t) => {
      const api = await startApi(t)
      await api.put('/v1/contacts/c', { address: '12345' })
      const extras = { headers: { 'content-encoding': coding } }
      const form = { ...extras.headers, 'content-type': 'application/x-www-form-urlencoded' }

      const answers = [
        await api.post('/v1/contacts', { address: '12345' }, extras),
        await api.post('/v1/contacts', new Uint8Array([0x1f, 0x8b, 8]), extras),
        await api.put('/v1/contacts/c', { address: '12345' }, extras),
        await api.patch('/v1/contacts/c', { name: 'C' }, extras),
        await api.request('QUERY', '/v1/contacts', {}, extras),
        await api.post('/v1/contacts', 'id=c', { headers: form }),
        await api.post('/v1/carriers/c/callbacks/receipts', {}, extras),
      ]

      for (const { status, headers, json } of answers) {
        assert.deepEqual([status, headers['accept-encoding']], [415, 'identity'])
        assert.match(json.detail, new RegExp(`is ${coding}\\.$`))
      }
    })
  }

  it('is taken where the coding is identity, which is none', async (t) => {
    const api = await startApi(t)

    for (const coding of ['identity', 'Identity', '', 'identity, identity']) {
      const headers = { 'content-encoding': coding }

      const made = await api.post('/v1/contacts', { address: '12345' }, { headers })

      assert.equal(made.status, 201)
    }
  })

  it('is told the charset that is not taken', async (t) => {
    const api = await startApi(t)
    const headers = { 'content-type': 'application/json; charset=utf-16' }

    const refused = await api.post('/v1/contacts', '{}', { headers })

    assert.equal(refused.status, 415)
    assert.equal(
      refused.json.detail,
      'The body must be application/json in UTF-8, not application/json in utf-16.',
    )
  })
})

describe('A QUERY', () => {
  it('has to say what its body is, even where it has none', async (t) => {
    const api = await startApi(t)
    const asked = (headers: Record<string, string>) =>
      api.request('QUERY', '/v1/contacts', undefined, { headers })

    const typed = await asked({ 'content-type': 'application/json' })
    const untyped = await asked({})

    assert.deepEqual([typed.status, untyped.status], [200, 415])
    assert.match(untyped.headers['accept-query'] ?? '', /^application\/json, /)
  })
})

/** Sends bytes as they are and gives back all that comes until the connection ends. */
function raw(url: string, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => (answer += chunk.toString()))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
  })
}

describe('A form posted to a collection', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it('with every required field of a new instance is 415, since it would create nothing', async (t) => {
    const api = await startApi(t)

    const answers = [
      await api.post('/v1/contacts', 'address=12345&name=C', { headers: form }),
      await api.post('/v1/messages', 'to=%2B491511234567&body=x', { headers: form }),
    ]

    for (const { status, headers, json } of answers) {
      assert.deepEqual([status, headers['accept-post']], [415, 'application/json'])
      assert.match(json.detail, /application\/json.*X-HTTP-Method-Override: GET/)
    }
    assert.deepEqual((await api.get('/v1/messages')).json, [])
  })

  it('without one of them, or with the override, is a query', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/contacts/c', { address: '12345', name: 'C' })
    const overriding = { ...form, 'x-http-method-override': 'GET' }

    const answers = [
      await api.post('/v1/contacts', 'name=C', { headers: form }),
      await api.post('/v1/contacts', 'address=12345', { headers: overriding }),
      await api.request('QUERY', '/v1/contacts', 'address=12345', { headers: form }),
      await api.post('/v1/messages', 'to=%2B491511234567', { headers: form }),
    ]

    assert.deepEqual(
      answers.map(({ status, json }) => [status, json.length]),
      [
        [200, 1],
        [200, 1],
        [200, 1],
        [200, 0],
      ],
    )
  })
})
