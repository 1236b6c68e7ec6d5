import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { TestApi } from '../support/api.ts'

const ada = {
  name: 'Ada',
  address: '+49 151 1234-5678',
  tags: ['vip'],
  attributes: { city: 'Kiel' },
}

/** What the interface says of instances, whoever serves it. */
export function speaksOfInstances(
  title: string,
  startApi: (t: TestContext) => Promise<TestApi>,
): void {
  describe(title, () => {
    describe('POST /v1/{collection}', () => {
      it('makes an instance under a new identifier and says where it is', async (t) => {
        const api = await startApi(t)

        const made = await api.post('/v1/contacts', ada)

        assert.equal(made.status, 201)
        assert.match(made.json.id, /^contact_[0-9a-z]{26}$/)
        assert.equal(made.headers['location'], `/v1/contacts/${made.json.id}`)
        assert.match(made.headers['etag'] ?? '', /^"[\w-]{22}"$/)
        assert.deepEqual(Object.keys(made.json), [
          'id',
          'name',
          'address',
          'tags',
          'attributes',
          'createdAt',
          'updatedAt',
        ])
        assert.equal(made.json.address, '+4915112345678')
        assert.equal(made.json.createdAt, '2026-01-01T00:00:00.000Z')
        assert.equal((await api.get(`/v1/contacts/${made.json.id}`)).text, made.text)
      })

      it('gives defaults where the client gives nothing, and ignores what only the service sets', async (t) => {
        const api = await startApi(t)

        const { json } = await api.post('/v1/contacts', {
          address: '12345',
          id: 'mine',
          createdAt: '1999-01-01T00:00:00Z',
        })

        assert.notEqual(json.id, 'mine')
        assert.equal(json.createdAt, '2026-01-01T00:00:00.000Z')
        assert.deepEqual([json.name, json.tags, json.attributes], [null, [], {}])
      })

      it('repeated, makes another one', async (t) => {
        const api = await startApi(t)

        const [first, second] = [
          await api.post('/v1/contacts', ada),
          await api.post('/v1/contacts', ada),
        ]

        assert.notEqual(first.json.id, second.json.id)
        assert.equal((await api.get('/v1/contacts')).json.length, 2)
      })

      it('names every field that is wrong, and writes nothing', async (t) => {
        const api = await startApi(t)

        const { status, json } = await api.post('/v1/contacts', {
          adress: '1',
          name: 5,
          tags: ['a', '', 7],
          attributes: { 'a/b~c': 1 },
        })

        assert.equal(status, 400)
        assert.equal(json.type, '/problems/invalid-body')
        assert.deepEqual(json.errors, [
          { pointer: '/adress', detail: 'is not a field. Did you mean address?' },
          { pointer: '/name', detail: 'must be a text, is the number 5' },
          { pointer: '/address', detail: 'is required' },
          { pointer: '/tags/1', detail: 'must have at least 1 character' },
          { pointer: '/tags/2', detail: 'must be a text, is the number 7' },
          { pointer: '/attributes/a~1b~0c', detail: 'must be a text, is the number 1' },
        ])
        assert.deepEqual((await api.get('/v1/contacts')).json, [])
      })

      for (const [title, body] of [
        ['an array', '[]'],
        ['a text', '"hello"'],
        ['null', 'null'],
        ['not JSON', '{"address":'],
        ['empty', ''],
      ] as const) {
        it(`refuses a body that is ${title}`, async (t) => {
          const api = await startApi(t)

          const { status, json } = await api.post('/v1/contacts', body)

          assert.equal(status, 400)
          assert.equal(json.type, '/problems/invalid-request')
          assert.match(json.detail, /The body/)
        })
      }

      it('takes JSON alone', async (t) => {
        const api = await startApi(t)

        const plain = await api.post('/v1/contacts', '{}', {
          headers: { 'content-type': 'text/plain' },
        })
        const latin = await api.post('/v1/contacts', '{}', {
          headers: { 'content-type': 'application/json; charset=latin1' },
        })

        assert.deepEqual([plain.status, latin.status], [415, 415])
        assert.equal(plain.headers['accept-post'], 'application/json')
      })
    })

    describe('Idempotency-Key', () => {
      const headers = { 'idempotency-key': 'order-17' }

      it('lets a repeated POST have one effect', async (t) => {
        const api = await startApi(t)

        const first = await api.post('/v1/contacts', ada, { headers })
        const again = await api.post('/v1/contacts', ada, { headers })

        assert.deepEqual([again.status, again.text], [201, first.text])
        assert.equal(again.headers['location'], first.headers['location'])
        assert.equal((await api.get('/v1/contacts')).json.length, 1)
      })

      it('with another body is refused', async (t) => {
        const api = await startApi(t)
        await api.post('/v1/contacts', ada, { headers })

        const other = await api.post('/v1/contacts', { address: '12345' }, { headers })

        assert.equal(other.status, 422)
        assert.equal(other.json.type, '/problems/idempotency-key-reused')
      })

      it('with the same body on another path is refused, with or without parameters', async (t) => {
        const api = await startApi(t)
        await api.post('/v1/contacts', ada, { headers })

        const others = [
          await api.post('/v1/groups', ada, { headers }),
          await api.post('/v1/contacts?', ada, { headers }),
        ]

        const types = others.map(({ status, json }) => [status, json?.type])
        assert.deepEqual(types, Array(2).fill([422, '/problems/idempotency-key-reused']))
        assert.equal((await api.get('/v1/contacts')).json.length, 1)
      })

      it('means nothing to other methods, whose effect is the same each time anyway', async (t) => {
        const api = await startApi(t)
        await api.post('/v1/contacts', ada, { headers })

        const put = await api.put('/v1/contacts/ada', ada, { headers })
        const patched = await api.patch('/v1/contacts/ada', { name: 'Eve' }, { headers })
        const again = await api.patch('/v1/contacts/ada', { name: 'Ada' }, { headers })

        assert.deepEqual([put.json.id, patched.json.name, again.json.name], ['ada', 'Eve', 'Ada'])
      })

      it('does not keep a refusal: the mended request goes through', async (t) => {
        const api = await startApi(t)

        const refused = await api.post('/v1/contacts', {}, { headers })
        const mended = await api.post('/v1/contacts', ada, { headers })

        assert.deepEqual([refused.status, mended.status], [400, 201])
      })

      it('is forgotten after 24 hours', async (t) => {
        const api = await startApi(t)
        const first = await api.post('/v1/contacts', ada, { headers })

        api.clock.jump(24 * 3_600_000 - 1)
        const before = await api.post('/v1/contacts', ada, { headers })
        api.clock.jump(1)
        const later = await api.post('/v1/contacts', ada, { headers })

        assert.equal(before.json.id, first.json.id)
        assert.notEqual(later.json.id, first.json.id)
      })

      it('belongs to the key that used it', async (t) => {
        const api = await startApi(t)
        const key = await api.newAccount('acme')
        await api.post('/v1/contacts', ada, { headers })

        const theirs = await api.post('/v1/contacts', { address: '12345' }, { headers, key })

        assert.equal(theirs.status, 201)
      })

      it('does not show a secret again', async (t) => {
        const api = await startApi(t)

        const first = await api.post('/v1/keys', { scopes: ['*'] }, { headers })
        const again = await api.post('/v1/keys', { scopes: ['*'] }, { headers })

        assert.match(first.json.secret, /^nuncio_key_/)
        assert.equal(again.status, 201)
        assert.equal(again.json.id, first.json.id)
        assert.equal('secret' in again.json, false)
      })
    })

    describe('PUT /v1/{collection}/{id}', () => {
      it('creates under the chosen identifier, with 200', async (t) => {
        const api = await startApi(t)

        const made = await api.put('/v1/contacts/ada', ada)

        assert.deepEqual([made.status, made.json.id], [200, 'ada'])
        assert.equal((await api.get('/v1/contacts/ada')).text, made.text)
      })

      it('repeated, changes nothing', async (t) => {
        const api = await startApi(t)
        const first = await api.put('/v1/contacts/ada', ada)

        await api.clock.advance(1000)
        const again = await api.put('/v1/contacts/ada', ada)

        assert.equal(again.text, first.text)
        assert.equal(again.headers['etag'], first.headers['etag'])
      })

      it('replaces all of the instance', async (t) => {
        const api = await startApi(t)
        const first = await api.put('/v1/contacts/ada', ada)

        await api.clock.advance(1000)
        const { json, headers } = await api.put('/v1/contacts/ada', { address: '12345' })

        assert.deepEqual([json.name, json.tags], [null, []])
        assert.deepEqual(
          [json.createdAt, json.updatedAt],
          ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:01.000Z'],
        )
        assert.notEqual(headers['etag'], first.headers['etag'])
      })

      it('takes what GET gave', async (t) => {
        const api = await startApi(t)
        const { json } = await api.put('/v1/contacts/ada', ada)

        const changed = await api.put('/v1/contacts/ada', { ...json, name: 'Countess' })

        assert.deepEqual([changed.status, changed.json.name], [200, 'Countess'])
      })

      for (const id of ['a%20b', 'x'.repeat(65), '%C3%A4', '..', 'a%2Fb']) {
        it(`refuses the identifier ${id}`, async (t) => {
          const api = await startApi(t)

          const { status, json } = await api.put(`/v1/contacts/${id}`, ada)

          assert.deepEqual([status, json.type], [400, '/problems/invalid-id'])
        })
      }
    })

    describe('PATCH /v1/{collection}/{id}', () => {
      it('changes what the patch names, as RFC 7396 says', async (t) => {
        const api = await startApi(t)
        await api.put('/v1/contacts/ada', ada)

        const patch = { name: null, attributes: { city: null, street: 'Holstenstr.' } }
        const { status, json } = await api.patch('/v1/contacts/ada', patch, {
          headers: { 'content-type': 'application/merge-patch+json' },
        })

        assert.equal(status, 200)
        assert.equal(json.name, null)
        assert.deepEqual(json.tags, ['vip'])
        assert.deepEqual(json.attributes, { street: 'Holstenstr.' })
      })

      it('that removes a required field is refused', async (t) => {
        const api = await startApi(t)
        await api.put('/v1/contacts/ada', ada)

        const { status, json } = await api.patch('/v1/contacts/ada', { address: null })

        assert.equal(status, 400)
        assert.deepEqual(json.errors, [{ pointer: '/address', detail: 'is required' }])
      })

      it('that removes what is no field is refused', async (t) => {
        const api = await startApi(t)
        await api.put('/v1/contacts/ada', ada)

        const { status, json } = await api.patch('/v1/contacts/ada', { nope: null })

        assert.equal(status, 400)
        assert.deepEqual(json.errors, [{ pointer: '/nope', detail: 'is not a field' }])
      })

      it('of nothing changes nothing', async (t) => {
        const api = await startApi(t)
        const first = await api.put('/v1/contacts/ada', ada)

        await api.clock.advance(1000)
        const again = await api.patch('/v1/contacts/ada', {})

        assert.equal(again.text, first.text)
      })

      it('on what is not there is 404, whatever the body', async (t) => {
        const api = await startApi(t)

        assert.equal((await api.patch('/v1/contacts/nobody', 'nonsense')).status, 404)
      })
    })

    describe('DELETE /v1/{collection}/{id}', () => {
      it('removes the instance, and a second time finds none', async (t) => {
        const api = await startApi(t)
        await api.put('/v1/contacts/ada', ada)

        const first = await api.delete('/v1/contacts/ada')
        const again = await api.delete('/v1/contacts/ada')

        assert.deepEqual([first.status, first.text, again.status], [204, '', 404])
        assert.equal('content-type' in first.headers, false)
        assert.equal((await api.get('/v1/contacts/ada')).status, 404)
      })
    })

    describe('Conditions', () => {
      it('let a write through only on the representation that the client has', async (t) => {
        const api = await startApi(t)
        const { headers } = await api.put('/v1/contacts/ada', ada)
        const etag = headers['etag'] ?? ''

        const first = await api.put(
          '/v1/contacts/ada',
          { address: '111' },
          { headers: { 'if-match': etag } },
        )
        const late = await api.put(
          '/v1/contacts/ada',
          { address: '222' },
          { headers: { 'if-match': etag } },
        )
        const lateDelete = await api.delete('/v1/contacts/ada', { headers: { 'if-match': etag } })

        assert.deepEqual([first.status, late.status, lateDelete.status], [200, 412, 412])
        assert.equal((await api.get('/v1/contacts/ada')).json.address, '111')
      })

      it('of a hundred writers at once let exactly one win', async (t) => {
        const api = await startApi(t)
        const { headers } = await api.put('/v1/contacts/ada', ada)
        const condition = { headers: { 'if-match': headers['etag'] ?? '' } }

        const write = (index: number) =>
          api.put('/v1/contacts/ada', { address: `${1000 + index}` }, condition)
        // Where they are too many for a busy machine some are told to come again.
        const writeUntilDone = async (index: number): ReturnType<typeof write> => {
          let answer = await write(index)
          for (let again = 0; again < 20 && answer.status === 503; again += 1) {
            answer = await write(index)
          }
          return answer
        }

        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, index) => writeUntilDone(index)),
        )

        assert.equal(answers.filter(({ status }) => status === 200).length, 1)
        assert.equal(answers.filter(({ status }) => status === 412).length, 99)
      })

      it('let If-None-Match: * create and never replace', async (t) => {
        const api = await startApi(t)
        const condition = { headers: { 'if-none-match': '*' } }

        const first = await api.put('/v1/contacts/ada', ada, condition)
        const again = await api.put('/v1/contacts/ada', { address: '111' }, condition)

        assert.deepEqual([first.status, again.status], [200, 412])
      })

      it('answer 304 without a body where the client has it already', async (t) => {
        const api = await startApi(t)
        const { headers } = await api.put('/v1/contacts/ada', ada)

        const cached = await api.get('/v1/contacts/ada', {
          headers: { 'if-none-match': headers['etag'] ?? '' },
        })

        assert.deepEqual([cached.status, cached.text], [304, ''])
        assert.equal(cached.headers['etag'], headers['etag'])
      })
    })

    describe('HEAD', () => {
      it('is GET without the body', async (t) => {
        const api = await startApi(t)
        await api.put('/v1/contacts/ada', ada)

        const got = await api.get('/v1/contacts/ada')
        const head = await api.request('HEAD', '/v1/contacts/ada')

        assert.deepEqual([head.status, head.text], [200, ''])
        assert.equal(head.headers['etag'], got.headers['etag'])
        assert.equal(head.headers['content-length'], String(Buffer.byteLength(got.text)))
      })
    })
  })
}
