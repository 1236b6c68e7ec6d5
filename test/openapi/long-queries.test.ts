import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { catalogue } from '../../src/engine/catalogue.ts'
import { openApi } from '../../src/openapi/open-api.ts'
import { startApi } from '../support/api.ts'
import { documented, madeDocument, options } from './documented.ts'
import { schemaValidator } from './schema-validator.ts'

const document = madeDocument()
const isQuery = schemaValidator(document)('components/schemas/ContactQuery')
const isPage = schemaValidator(document)(
  'paths/~1v1~1contacts/get/responses/200/content/application~1json/schema',
)

describe('a long query in the document', () => {
  it('is a form or JSON of QUERY, and in the prose of a POST', () => {
    const item = document.paths['/v1/contacts'] ?? {}
    const query = item['x-query']
    const creation = item.post?.requestBody?.content

    assert.deepEqual(Object.keys(creation ?? {}), ['application/json'])
    assert.match(item.post?.description ?? '', /X-HTTP-Method-Override: GET.*ContactQuery/)
    assert.deepEqual(Object.keys(query?.requestBody?.content ?? {}), [
      'application/json',
      'application/x-www-form-urlencoded',
    ])
    assert.match(query?.description ?? '', /Takes the scope `contacts:read`/)
  })

  for (const [body, good] of [
    [{ name: 'Ada', sort: ['name_asc', 'id_desc'], pageSize: 2 }, true],
    [{ name: ['Ada', null], createdAt_gte: '2026-01-31T12:00:00Z', search: 'a' }, true],
    [{ 'attributes.size': 3, 'attributes.a_b_like': '*' }, true],
    [{ sort: 'nme_asc' }, false],
    [{ colour: 'red' }, false],
    [{ name: { a: 1 } }, false],
    [{ pageSize: 1001 }, false],
  ] as const) {
    it(`is what the service ${good ? 'takes' : 'refuses'}: ${JSON.stringify(body)}`, async (t) => {
      const api = await startApi(t)
      const override = { headers: { 'x-http-method-override': 'GET' } }

      const { status, json } = await api.post('/v1/contacts', body, override)

      assert.equal(status, good ? 200 : 400)
      if (good) assert.ok(isPage(json))
      assert.equal(isQuery(body), good)
      assert.equal((await api.request('QUERY', '/v1/contacts', body)).status, status)
    })
  }

  it('as a form is answered as the document says', async (t) => {
    const api = await startApi(t)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

    const { status, json } = await api.post('/v1/contacts', 'name=Ada&sort=name_asc', form)

    assert.equal(status, 200)
    assert.ok(isPage(json))
  })

  it('is there for what can be read and not made', () => {
    const things = collection({
      name: 'things',
      noun: 'thing',
      description: 'Things.',
      methods: { collection: ['GET'], instance: ['GET'] },
      fields: { name: text({ readOnly: true }) },
    })
    const messages = documented.find('messages')?.declared
    assert.ok(messages)

    const { post, ...item } =
      openApi(catalogue([things, messages]), options).paths['/v1/things'] ?? {}
    const query = item['x-query']

    assert.equal(post, undefined)
    assert.match(JSON.stringify(query?.requestBody), /ThingQuery/)
    assert.match(query?.description ?? '', /Takes the scope `things:read`/)
  })
})
