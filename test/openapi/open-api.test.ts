import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { isChosenId } from '../../src/core/id.ts'
import { catalogue, type Catalogue } from '../../src/engine/catalogue.ts'
import type { Compiled } from '../../src/engine/compiled.ts'
import { readListRequest } from '../../src/engine/query/query-parameters.ts'
import { recordNames } from '../../src/collections/messages.ts'
import {
  methods,
  type OpenApiOperation,
  type OpenApiParameter,
} from '../../src/openapi/document.ts'
import { asServed, openApi } from '../../src/openapi/open-api.ts'
import { sampleText } from '../../src/openapi/schemas/sample-text.ts'
import { documented, madeDocument, options } from './documented.ts'

const document = madeDocument()
const { paths, components } = document

describe('the OpenAPI document', () => {
  it('has a path for each collection and for its instances, nested ones included', () => {
    const offered = Object.entries(paths).map(
      ([path, item]) => `${path} ${methods.filter((method) => item[method]).join(' ')}`,
    )

    assert.deepEqual(offered, [
      '/v1/messages get post',
      '/v1/messages/{id} get put patch delete',
      '/v1/conversations get',
      '/v1/contacts get post',
      '/v1/contacts/{id} get put patch delete',
      '/v1/groups get post',
      '/v1/groups/{id} get put patch delete',
      '/v1/groups/{id}/contacts get post',
      '/v1/groups/{id}/contacts/{subid} get delete',
      '/v1/broadcasts get post',
      '/v1/broadcasts/{id} get put patch delete',
      '/v1/broadcasts/{id}/messages get',
      '/v1/broadcasts/{id}/messages/{subid} get',
      '/v1/webhooks get post',
      '/v1/webhooks/{id} get put patch delete',
      '/v1/webhooks/{id}/deliveries get post',
      '/v1/webhooks/{id}/deliveries/{subid} get',
      '/v1/webhooks/{id}/replays get post',
      '/v1/webhooks/{id}/replays/{subid} get patch',
      '/v1/optOuts get post',
      '/v1/optOuts/{id} get put patch delete',
      '/v1/numbers get post',
      '/v1/numbers/{id} get put patch delete',
      '/v1/carriers get post',
      '/v1/carriers/{id} get put patch delete',
      '/v1/keys get post',
      '/v1/keys/{id} get put patch delete',
      '/v1/accounts get post',
      '/v1/accounts/{id} get put patch delete',
      '/v1/accounts/{id}/creditMovements get post',
      '/v1/accounts/{id}/creditMovements/{subid} get',
      '/v1/credits get',
      '/v1/credits/{id} get',
      '/v1/prices get post',
      '/v1/prices/{id} get put patch delete',
      '/v1/maintenanceWindows get post',
      '/v1/maintenanceWindows/{id} get put patch delete',
      '/v1/auditEvents get',
      '/v1/auditEvents/{id} get',
      '/v1/statistics get',
      '/v1/statistics/{id} get',
      '/v1/sessions get post',
      '/v1/sessions/{id} get delete',
      '/v1/customers get post',
      '/v1/customers/{id} get put patch delete',
      '/v1/customers/{id}/orders get post',
      '/v1/customers/{id}/orders/{subid} get put delete',
      '/v1/contracts get post',
      '/v1/contracts/{id} get put patch delete',
      '/v1/notifications get',
      '/v1/carriers/{id}/callbacks/{name} get post',
    ])
  })

  it('gives every operation a name of its own', () => {
    const ids = allOperations().map(({ operationId }) => operationId)

    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.includes('listWebhookDeliveries') && ids.includes('putCustomerOrder'))
  })

  it('tells the statuses that an operation can answer with', () => {
    const statusesOf = (path: string, method: (typeof methods)[number]) =>
      Object.keys(paths[path]?.[method]?.responses ?? {}).join(' ')

    assert.deepEqual(
      [
        statusesOf('/v1/messages', 'get'),
        statusesOf('/v1/messages', 'post'),
        statusesOf('/v1/messages/{id}', 'get'),
        statusesOf('/v1/messages/{id}', 'put'),
        statusesOf('/v1/messages/{id}', 'delete'),
        statusesOf('/v1/contracts/{id}', 'patch'),
        statusesOf('/v1/webhooks/{id}/deliveries', 'get'),
      ],
      [
        '200 400 401 403 406 414 429 500 503',
        '200 201 400 401 403 406 409 413 414 415 422 429 500 503',
        '200 304 400 401 403 404 406 412 414 429 500 503',
        '200 400 401 403 406 409 412 413 414 415 429 500 503',
        '204 400 401 403 404 406 409 412 414 429 500 503',
        '200 400 401 403 404 406 409 412 413 414 415 428 429 500 503',
        '200 400 401 403 404 406 414 429 500 503',
      ],
    )
  })

  it('shows a new secret in the answers to writes alone', () => {
    const { get, post } = paths['/v1/keys'] ?? {}

    assert.match(JSON.stringify(post?.responses['201']), /KeyRevealed/)
    assert.doesNotMatch(JSON.stringify(get), /KeyRevealed/)
    assert.equal(components.schemas['Key']?.properties?.['secret'], undefined)
  })

  it('describes the notification as the record of a message and nothing else', () => {
    const { properties = {}, required } = components.schemas['Notification'] ?? {}

    assert.deepEqual(Object.keys(properties), recordNames)
    assert.deepEqual(required, recordNames)
    assert.equal(recordNames.length, 14)
  })

  it('says that only an administrator reaches what only an administrator reaches', () => {
    assert.match(paths['/v1/accounts']?.get?.description ?? '', /Takes the scope `admin`\.$/)
    assert.match(
      paths['/v1/customers/{id}/orders']?.post?.description ?? '',
      /Takes the scope `customers:write`\.$/,
    )
  })

  it('keeps a size that a browser and a generator take in at once', () => {
    assert.ok(JSON.stringify(document).length < 600_000)
  })

  it('has nothing among the components that nothing refers to', () => {
    const readOnly = collection({
      name: 'things',
      noun: 'thing',
      description: 'Things.',
      methods: { collection: ['GET'], instance: ['GET'] },
      fields: { name: text({ readOnly: true }) },
    })
    const messages = documented.find('messages')?.declared
    assert.ok(messages)

    const made = openApi(catalogue([readOnly, messages]), options)

    const schemas = Object.keys(made.components.schemas).filter((name) => name.startsWith('Thing'))
    assert.deepEqual(schemas, ['Thing', 'ThingSort', 'ThingComparisons', 'ThingQuery'])
  })

  it('tells two collections apart whose nouns are the same', () => {
    const declare = (name: string, noun: string) =>
      collection({ name, noun, description: name, fields: { name: text({ required: true }) } })
    const messages = documented.find('messages')?.declared
    assert.ok(messages)
    const clashing = [declare('problems', 'problem'), declare('messageInputs', 'messageInput')]

    const { schemas } = openApi(catalogue([messages, ...clashing]), options).components

    assert.ok(schemas['Problem2'] && schemas['MessageInput2'])
    assert.deepEqual(schemas['Problem'], components.schemas['Problem'])
    assert.deepEqual(schemas['MessageInput'], components.schemas['MessageInput'])
  })
})

describe('a parameter of the document', () => {
  for (const { compiled, parameters } of lists(documented)) {
    it(`is one that the service takes: ${compiled.declared.name}`, () => {
      const asked = parameters.flatMap((parameter) => askedWith(parameter))

      for (const [name, value] of asked) readListRequest(compiled, [[name, value]])

      assert.ok(asked.length > 20)
    })
  }

  it('has the limits that the service has', () => {
    const messages = documented.find('messages')
    assert.ok(messages)
    const { Page, PageSize } = components.parameters

    for (const [name, schema] of [
      ['page', Page?.schema],
      ['pageSize', PageSize?.schema],
    ] as const) {
      const most = schema?.maximum ?? 0
      readListRequest(messages, [[name, String(most)]])
      assert.throws(() => readListRequest(messages, [[name, String(most + 1)]]))
    }
    assert.match(
      PageSize?.description ?? '',
      new RegExp(` ${readListRequest(messages, []).query.limit} `),
    )
  })

  it('lets an identifier be what a client may choose', () => {
    const [parameter] = paths['/v1/messages/{id}']?.parameters ?? []
    assert.ok(parameter && 'schema' in parameter)
    const pattern = new RegExp(parameter.schema.pattern ?? '', 'u')

    for (const id of ['a', 'A_b.c~d-9', 'x'.repeat(64), 'x'.repeat(65), '', 'a b', 'a/b'])
      assert.equal(pattern.test(id), isChosenId(id), id)
  })
})

function allOperations(): readonly OpenApiOperation[] {
  return [...Object.values(paths), ...Object.values(document.webhooks)].flatMap((item) =>
    methods.flatMap((method) => item[method] ?? []),
  )
}

interface List {
  readonly compiled: Compiled
  readonly parameters: readonly OpenApiParameter[]
}

function lists(documents: Catalogue): readonly List[] {
  return documents.all.map((each) => {
    const compiled = asServed(each, documents)
    const { name, parent } = compiled.declared
    const path = parent === null ? `/v1/${name}` : `/v1/${parent}/{id}/${name}`
    const parameters = paths[path]?.get?.parameters ?? []
    return {
      compiled,
      parameters: parameters.filter((each): each is OpenApiParameter => !('$ref' in each)),
    }
  })
}

/** A parameter as it stands in a query, with each value that its schema lists, or one that fits. */
function askedWith({ name, schema }: OpenApiParameter): readonly (readonly [string, string])[] {
  const { $ref } = schema
  if ($ref !== undefined) {
    const { properties = {} } = components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}
    return Object.entries(properties).map(([each, value]) => [each, valueFor(value)[0] ?? ''])
  }
  return valueFor(schema.items ?? schema).map((value) => [name, value])
}

function valueFor(schema: OpenApiParameter['schema']): readonly string[] {
  const { $ref, enum: listed, anyOf, format, type } = schema
  if ($ref !== undefined) return valueFor(components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (schema.const !== undefined) return [String(schema.const)]
  if (anyOf !== undefined) return anyOf.flatMap(valueFor)
  if (listed !== undefined) return listed.map(String)
  if (format === 'date-time') return ['2026-01-31T12:00:00Z']
  if (schema.pattern !== undefined) return [sampleText(schema.pattern, 3) ?? '']
  return [type === 'number' ? '1' : type === 'boolean' ? 'true' : 'x']
}
