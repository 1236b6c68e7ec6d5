import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { catalogue } from '../../src/engine/catalogue.ts'
import { openApi } from '../../src/openapi/open-api.ts'
import { startApi } from '../support/api.ts'
import { documented, madeDocument, options } from './documented.ts'
import { schemaValidator } from './schema-validator.ts'
import { asking } from './support/asking.ts'

const document = madeDocument()
const isQuery = schemaValidator(document)('components/schemas/ContactQuery')
const { call } = asking(document)

describe('a long query in the document', () => {
  it('is a form or JSON, of a POST and of QUERY', () => {
    const item = document.paths['/v1/contacts'] ?? {}
    const query = item['x-query']
    const parameters = JSON.stringify(item.post?.parameters)

    const form = item.post?.requestBody?.content['application/x-www-form-urlencoded']
    assert.deepEqual(form?.schema, { $ref: '#/components/schemas/ContactQuery' })
    assert.deepEqual(Object.keys(query?.requestBody?.content ?? {}), [
      'application/json',
      'application/x-www-form-urlencoded',
    ])
    assert.match(parameters, /MethodOverride/)
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

      const status = await call(api, 'post', '/v1/contacts', '/v1/contacts', body, override)

      assert.equal(status, good ? 200 : 400)
      assert.equal(isQuery(body), good)
      assert.equal((await api.request('QUERY', '/v1/contacts', body)).status, status)
    })
  }

  it('as a form is answered as the document says', async (t) => {
    const api = await startApi(t)
    const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' } }

    const path = '/v1/contacts'

    assert.equal(await call(api, 'post', path, path, 'name=Ada&sort=name_asc', form), 200)
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

    const { post } = openApi(catalogue([things, messages]), options).paths['/v1/things'] ?? {}

    assert.match(JSON.stringify(post?.requestBody), /ThingQuery/)
    assert.match(post?.description ?? '', /Takes the scope `things:read`/)
  })
})
