import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { defineConfig } from '../../src/config/define-config.ts'
import { DeclarationError } from '../../src/core/declaration/declaration-error.ts'
import { choice, text } from '../../src/core/declaration/field.ts'
import { offerOf } from '../../src/wiring/wire.ts'
import { startApi, testConfig, type TestApi } from '../support/api.ts'

const config = defineConfig({
  collections: [
    {
      name: 'customers',
      noun: 'customer',
      description: 'Whoever buys.',
      fields: {
        fullName: text({ required: true, maxLength: 100 }),
        rank: choice(['GOLD', 'NONE'], { default: 'NONE' }),
        note: text({ nullable: true }),
      },
    },
    {
      name: 'orders',
      noun: 'order',
      description: 'What a customer wants.',
      parent: 'customers',
      fields: { title: text({ required: true }) },
    },
  ],
  versions: [
    { name: 'v1', deprecatedAt: '2026-01-01T00:00:00Z', sunsetAt: '2027-01-01T00:00:00Z' },
    {
      name: 'v2',
      changes: [
        { kind: 'collectionRenamed', from: 'clients', to: 'customers' },
        { kind: 'fieldRenamed', collection: 'customers', from: 'name', to: 'fullName' },
        { kind: 'fieldChanged', collection: 'customers', field: 'rank', values: { TOP: 'GOLD' } },
        { kind: 'fieldAdded', collection: 'customers', field: 'note' },
        { kind: 'fieldRenamed', collection: 'customers/orders', from: 'label', to: 'title' },
      ],
    },
  ],
})

const offered = (versions: readonly unknown[] = config.versions ?? []) =>
  offerOf({ ...testConfig, declarations: config.collections ?? [], versions, config: 'my.config' })

const start = (t: TestContext): Promise<TestApi> => startApi(t, { offer: offered() })

describe('Versions in a configuration file', () => {
  it('carry what an older version says, nested collections included', async (t) => {
    const api = await start(t)

    const made = await api.put('/v1/clients/ann', { name: 'Ann', rank: 'TOP' })
    const order = await api.put('/v1/clients/ann/orders/o', { label: 'Tea' })
    const newest = await api.get('/v2/customers/ann')

    assert.deepEqual([made.status, made.json.name, made.json.rank], [200, 'Ann', 'TOP'])
    assert.deepEqual([order.json.label, 'note' in made.json], ['Tea', false])
    assert.deepEqual([newest.json.fullName, newest.json.rank], ['Ann', 'GOLD'])
    assert.equal((await api.get('/v2/customers/ann/orders/o')).json.title, 'Tea')
    assert.equal((await api.get('/v1/clients?rank=TOP&sort=name_asc')).json.length, 1)
    assert.equal(made.headers['deprecation'], '@1767225600')
    assert.equal((await api.get('/v2/clients')).status, 410)
  })

  it('refuse a choice by the name that it has in a later version, and name those of their own', async (t) => {
    const api = await start(t)
    await api.put('/v1/clients/ann', { name: 'Ann', rank: 'TOP' })

    const found = await api.get('/v1/clients?rank=GOLD')
    const others = await api.get('/v1/clients?rank_ne=GOLD')
    const none = await api.get('/v1/clients?rank=LEAD')
    const put = await api.put('/v1/clients/ben', { name: 'Ben', rank: 'GOLD' })
    const newest = await api.get('/v2/customers?rank=TOP')

    const detail = 'must be one of TOP, NONE'
    assert.deepEqual(
      [found.status, others.status, none.status, put.status, newest.status],
      [400, 400, 400, 400, 400],
    )
    assert.deepEqual(found.json.errors, [{ parameter: 'rank', detail }])
    assert.deepEqual(others.json.errors, [{ parameter: 'rank_ne', detail }])
    assert.deepEqual(none.json.errors, [{ parameter: 'rank', detail }])
    assert.deepEqual(put.json.errors, [{ pointer: '/rank', detail }])
    assert.equal(newest.json.errors[0].detail, 'must be one of GOLD, NONE')
  })

  it('leave the built-in collections as they are, in every version', async (t) => {
    const api = await start(t)

    await api.put('/v1/contacts/c', { address: '12345' })

    assert.equal((await api.get('/v2/contacts/c')).status, 200)
  })

  it('describe a field as it was, whose default is written as it is served', async (t) => {
    const was = { kind: 'timestamp', default: '2026-01-01T01:00:00+01:00' }
    const same = (value: unknown): unknown => value
    const changed = { kind: 'fieldChanged', collection: 'customers', field: 'note', was }
    const offer = offered([{ name: 'v2', changes: [{ ...changed, up: same, down: same }] }])
    const api = await startApi(t, { offer })

    const { json } = await api.get('/v1/openapi.json', { key: null })

    const { note } = json.components.schemas.CustomerInput.properties
    assert.equal(note.format, 'date-time')
    assert.match(note.description, /Default: `"2026-01-01T00:00:00\.000Z"`/)
  })

  it('are offered without v1, which goes without saying', () => {
    const { versions } = offered([{ name: 'v1.1.0' }])

    assert.deepEqual(
      versions.map(({ name }) => name),
      ['v1', 'v1.1.0'],
    )
  })

  const change = (each: object) => [{ name: 'v2', changes: [each] }]
  const collection = 'customers'
  for (const [title, versions, path, cure] of [
    ['no version', [5], 'versions[0]', /must be a version/],
    ['an odd name', [{ name: '2' }], 'versions[0].name', /such as v2/],
    ['an odd word', [{ name: 'v2', sunset: 1 }], 'versions[0].sunset', /Did you mean sunsetAt/],
    ['an odd time', [{ name: 'v2', sunsetAt: 'soon' }], 'versions[0].sunsetAt', /ISO 8601/],
    ['the wrong order', [{ name: 'v3' }, { name: 'v2' }], 'versions[1].name', /oldest first/],
    ['no newest version', [{ name: 'v2', retired: true }], 'versions[0].retired', /another one/],
    [
      'an end before the beginning',
      [{ name: 'v1', deprecatedAt: '2027-01-01T00:00:00Z', sunsetAt: '2026-01-01T00:00:00Z' }],
      'versions[0].sunsetAt',
      /after it is deprecated/,
    ],
    ['an odd kind', change({ kind: 'fieldRename' }), 'versions[0].changes[0].kind', /Did you mean/],
    [
      'a missing word',
      change({ kind: 'fieldRenamed', collection, from: 'name' }),
      'versions[0].changes[0].to',
      /is missing/,
    ],
    [
      'an unknown field',
      change({ kind: 'fieldRenamed', collection, from: 'name', to: 'fulName' }),
      'versions[0].changes[0]',
      /Did you mean fullName/,
    ],
    [
      'an unknown collection',
      change({ kind: 'collectionAdded', collection: 'customer' }),
      'versions[0].changes[0]',
      /Did you mean customers/,
    ],
    [
      'a collection of every installation',
      change({ kind: 'fieldAdded', collection: 'contacts', field: 'name' }),
      'versions[0].changes[0]',
      /no such collection/,
    ],
    [
      'a field that must be given, and that older clients do not know',
      change({ kind: 'fieldAdded', collection, field: 'fullName' }),
      'versions[0].changes[0]',
      /default in place of required/,
    ],
    [
      'one way only',
      change({ kind: 'fieldChanged', collection, field: 'rank', up: (value: unknown) => value }),
      'versions[0].changes[0].down',
      /both ways/,
    ],
    [
      'values that do not lead back',
      change({ kind: 'fieldChanged', collection, field: 'rank', values: { A: 'C', B: 'C' } }),
      'versions[0].changes[0].values',
      /lead back/,
    ],
  ] as const) {
    it(`stop the start with ${title}, and say where and what to do`, () => {
      assert.throws(
        () => offered(versions),
        (error: unknown) => {
          assert.ok(error instanceof DeclarationError)
          assert.deepEqual(
            error.faults.map((fault) => fault.path),
            [path],
          )
          assert.match(error.message, cure)
          assert.ok(error.message.startsWith(`my.config: ${path}: `))
          return true
        },
      )
    })
  }
})

describe('The scopes of people who sign in at a provider', () => {
  const grant = { claim: 'groups', value: 'ops', account: 'account_default' }
  const offerWith = (...scopes: readonly string[]) =>
    offerOf({
      ...testConfig,
      declarations: config.collections ?? [],
      versions: config.versions ?? [],
      config: 'my.config',
      oidc: {
        issuer: new URL('https://id.example'),
        clientId: 'nuncio',
        clientSecret: null,
        url: new URL('https://sms.example'),
        scope: 'openid',
        grants: [
          { ...grant, scopes: ['admin'] },
          { ...grant, scopes },
        ],
      },
    })

  it('name collections, declared ones and former names included, or a view', () => {
    offerWith(
      '*',
      '*:read',
      'messages:write',
      'customers:read',
      'clients:read',
      'notifications:read',
    )
  })

  it('are refused at the start, each by its field, if they name nothing', () => {
    assert.throws(() => offerWith('messages:read', 'mesages:read', 'notifications:write'), {
      name: 'DeclarationError',
      message:
        'my.config: oidc.grants[1].scopes[1]: names "mesages", and there is no such collection. ' +
        'Did you mean messages?\n' +
        'my.config: oidc.grants[1].scopes[2]: is no scope: notifications are only read, by notifications:read',
    })
  })
})
