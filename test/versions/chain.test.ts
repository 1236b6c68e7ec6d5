import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Offer } from '../../src/wiring/wire.ts'
import { builtIn } from '../../src/collections/built-in.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { array, boolean, integer, map, text } from '../../src/core/declaration/field.ts'
import type { JsonValue } from '../../src/core/json.ts'
import type { Version } from '../../src/core/declaration/version.ts'
import { speaksOfInstances } from '../conformance/instances.ts'
import { speaksOfLists } from '../conformance/lists.ts'
import { startApi, type TestApi } from '../support/api.ts'

/** Contacts as the newest version of this test has them: renamed, and with other fields. */
const people = collection({
  name: 'people',
  noun: 'contact',
  description: 'A person.',
  searchedBy: ['fullName'],
  fields: {
    fullName: text({ maxLength: 200, nullable: true, indexed: true }),
    phone: text({ format: 'recipient', required: true, indexed: true }),
    labels: array(text({ minLength: 1, maxLength: 64 }), { maxItems: 100, default: [] }),
    attributes: map(text({ maxLength: 1000 }), { maxProperties: 100, default: {} }),
    rank: integer({ default: 3 }),
    muted: boolean({ default: false }),
  },
})

const upper = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? value.toUpperCase() : value
const lower = (value: JsonValue): JsonValue =>
  typeof value === 'string' ? value.toLowerCase() : value

const chain: readonly Version[] = [
  { name: 'v1', changes: [], deprecatedAt: Date.UTC(2026, 0, 1), sunsetAt: Date.UTC(2027, 0, 1) },
  {
    name: 'v1.1.0',
    changes: [
      { kind: 'fieldRenamed', collection: 'contacts', from: 'name', to: 'fullName' },
      { kind: 'fieldAdded', collection: 'contacts', field: 'muted' },
    ],
  },
  {
    name: 'v2',
    changes: [
      { kind: 'collectionRenamed', from: 'contacts', to: 'people' },
      { kind: 'fieldRenamed', collection: 'people', from: 'address', to: 'phone' },
      { kind: 'fieldRenamed', collection: 'people', from: 'tags', to: 'labels' },
      { kind: 'fieldAdded', collection: 'people', field: 'rank' },
    ],
  },
]

const offer: Offer = {
  collections: builtIn.map((each) => (each.name === 'contacts' ? people : each)),
  versions: chain,
}

const start = (t: TestContext): Promise<TestApi> => startApi(t, { offer })

speaksOfInstances('The interface of v1, through v1.1.0 and v2', start)
speaksOfLists('The interface of v1, through v1.1.0 and v2', start)

describe('A chain of versions', () => {
  it('shows one instance in each version’s words', async (t) => {
    const api = await start(t)
    await api.put('/v2/people/ada', { fullName: 'Ada', phone: '12345', labels: ['vip'], rank: 1 })

    const [v1, v11, v2] = [
      await api.get('/v1/contacts/ada'),
      await api.get('/v1.1.0/contacts/ada'),
      await api.get('/v2/people/ada'),
    ]

    assert.deepEqual(Object.keys(v1.json), [
      'id',
      'name',
      'address',
      'tags',
      'attributes',
      'createdAt',
      'updatedAt',
    ])
    assert.deepEqual([v1.json.name, v1.json.address, v1.json.tags], ['Ada', '12345', ['vip']])
    assert.deepEqual([v11.json.fullName, v11.json.muted, 'rank' in v11.json], ['Ada', false, false])
    assert.deepEqual([v2.json.fullName, v2.json.phone, v2.json.rank], ['Ada', '12345', 1])
  })

  it('leaves alone what an older version cannot know', async (t) => {
    const api = await start(t)
    await api.put('/v2/people/ada', { phone: '12345', rank: 1, muted: true })

    await api.put('/v1/contacts/ada', { address: '54321' })
    await api.patch('/v1.1.0/contacts/ada', { fullName: 'Ada' })

    const { json } = await api.get('/v2/people/ada')
    assert.deepEqual([json.phone, json.fullName, json.rank, json.muted], ['54321', 'Ada', 1, true])
  })

  it('refuses in an older version what only a newer one has', async (t) => {
    const api = await start(t)

    const body = await api.post('/v1/contacts', { address: '12345', fullName: 'Ada', rank: 1 })
    const filter = await api.get('/v1/contacts?fullName=Ada&sort=rank_asc&fields=phone')

    assert.deepEqual(
      body.json.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/fullName', '/rank'],
    )
    assert.deepEqual(
      filter.json.errors.map(({ parameter }: { parameter: string }) => parameter),
      ['fullName', 'sort', 'fields'],
    )
  })

  it('says 410 where a collection has another name, and where a version has ended', async (t) => {
    const api = await start(t)
    const ended = await startApi(t, {
      offer: {
        ...offer,
        versions: chain.map((each) => (each.name === 'v1' ? { ...each, retired: true } : each)),
      },
    })

    const moved = await api.get('/v2/contacts')
    const retired = await ended.get('/v1/contacts')

    assert.deepEqual(
      [moved.status, moved.headers['link']],
      [410, '</v2/people>; rel="successor-version"'],
    )
    assert.deepEqual(
      [retired.status, retired.headers['link']],
      [410, '</v2>; rel="successor-version"'],
    )
    assert.equal((await api.get('/v1/people')).status, 404)
    assert.equal((await api.get('/v3/people')).status, 404)
  })

  it('says on every answer of a version that it is going to end', async (t) => {
    const api = await start(t)

    for (const { headers } of [await api.get('/v1/contacts'), await api.get('/v1/contacts/none')]) {
      assert.equal(headers['deprecation'], '@1767225600')
      assert.equal(headers['sunset'], 'Fri, 01 Jan 2027 00:00:00 GMT')
    }
    assert.equal('deprecation' in (await api.get('/v2/people')).headers, false)
  })

  it('leads from an instance of a renamed collection to that instance', async (t) => {
    const api = await start(t)

    const { status, headers } = await api.get('/v2/contacts/a%20b')

    assert.deepEqual(
      [status, headers['link']],
      [410, '</v2/people/a%20b>; rel="successor-version"'],
    )
  })

  it('takes the scopes of a key under the name that a collection had', async (t) => {
    const api = await start(t)
    const made = await api.post('/v1/keys', { scopes: ['contacts:read', 'keys:write'] })
    const { secret: key } = made.json
    const one = await api.post('/v1/keys', { scopes: ['people:read'] }, { key })

    const statuses = [
      (await api.get('/v1/contacts', { key })).status,
      (await api.get('/v2/people', { key })).status,
      (await api.post('/v2/people', { phone: '12345' }, { key })).status,
      (await api.get('/v1/contacts', { key: one.json.secret })).status,
    ]

    assert.deepEqual(made.json.scopes, ['contacts:read', 'keys:write'])
    assert.deepEqual(statuses, [200, 200, 403, 200])
    assert.equal((await api.post('/v1/keys', { scopes: ['people:write'] }, { key })).status, 403)
    assert.equal((await api.post('/v1/keys', { scopes: ['persons:read'] })).status, 400)
  })

  it('carries values over in both directions', async (t) => {
    const changed: Offer = {
      collections: builtIn,
      versions: [
        { name: 'v1', changes: [] },
        {
          name: 'v2',
          changes: [
            { kind: 'fieldChanged', collection: 'contacts', field: 'name', up: upper, down: lower },
          ],
        },
      ],
    }
    const api = await startApi(t, { offer: changed })

    const made = await api.put('/v1/contacts/ada', { address: '12345', name: 'ada' })

    assert.equal(made.json.name, 'ada')
    assert.equal((await api.get('/v2/contacts/ada')).json.name, 'ADA')
    assert.equal((await api.get('/v1/contacts?name=ada')).json.length, 1)
    assert.equal((await api.get('/v2/contacts?name=ada')).json.length, 0)
  })

  it('with a change that leads nowhere does not start', async (t) => {
    const wrong = {
      ...offer,
      versions: [
        ...chain,
        {
          name: 'v3',
          changes: [{ kind: 'fieldAdded', collection: 'people', field: 'nme' } as const],
        },
      ],
    }

    await assert.rejects(startApi(t, { offer: wrong }), /version v3: fieldAdded names people\.nme/)
  })
})
