import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { methods, type OpenApiOperation } from '../../src/openapi/document.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { schemaValidator } from './schema-validator.ts'
import { asking } from './support/asking.ts'
import { documentOf, pageOf, versioned } from './support/versioned.ts'

const [v1, v11, v2] = [documentOf('v1'), documentOf('v1.1.0'), documentOf('v2')]

describe('the document of a version', () => {
  it('has the collections and the fields as the version knows them', () => {
    const fields = (document: typeof v1) => {
      const { Person, PersonOrder } = document.components.schemas
      return [Object.keys(Person?.properties ?? {}), Object.keys(PersonOrder?.properties ?? {})]
    }
    const times = ['createdAt', 'updatedAt']

    assert.deepEqual(fields(v1), [
      ['id', 'name', 'rank', 'age', 'labels', 'home', 'contact', 'vip', ...times],
      ['id', 'title', 'count', 'state', ...times],
    ])
    assert.deepEqual(fields(v11), [
      ['id', 'fullName', 'rank', 'age', 'labels', 'home', 'contact', ...times],
      ['id', 'title', 'count', ...times],
    ])
    assert.deepEqual(
      fields(v2)[0]?.filter((name) => !times.includes(name)),
      ['id', 'fullName', 'rank', 'ageInDays', 'labels', 'home', 'contact', 'note'],
    )
    assert.deepEqual(
      [v1, v11, v2].map(({ paths }) =>
        Object.keys(paths).filter((path) => /clients$|people$|visits$/.test(path)),
      ),
      [
        ['/v1/clients'],
        ['/v1.1.0/clients', '/v1.1.0/clients/{id}/visits'],
        ['/v2/people', '/v2/people/{id}/visits'],
      ],
    )
  })

  it('tells the values that a field had', () => {
    const { Person, PersonInput, PersonOrder } = v1.components.schemas

    assert.deepEqual(Person?.properties?.['rank']?.enum, ['TOP', 'NONE'])
    assert.match(PersonInput?.properties?.['rank']?.description ?? '', /Default: `"NONE"`/)
    assert.deepEqual(Person?.properties?.['age']?.type, ['string', 'null'])
    assert.deepEqual(PersonOrder?.properties?.['state']?.enum, ['OPEN', 'CLOSED'])
    assert.deepEqual(Person?.properties?.['labels']?.items, { type: 'string' })
    assert.match(JSON.stringify(Person?.properties?.['contact']), /one of `clients`/)
  })

  it('says of all of it that it ends, and of the newest nothing', () => {
    const operations = ({ paths }: typeof v1): readonly OpenApiOperation[] =>
      Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []))

    assert.ok(operations(v1).every(({ deprecated }) => deprecated === true))
    assert.ok(operations(v2).every(({ deprecated }) => deprecated === undefined))
    assert.match(v1.info.description, /`v1` is deprecated since 2026-01-01, and ends on 2027-01-01/)
    assert.doesNotMatch(v2.info.description, /The end of this version/)
  })

  for (const document of [v1, v11, v2]) {
    const version = Object.keys(document.paths)[0]?.split('/')[1] ?? ''
    it(`has examples that fit their schemas: ${version}`, () => {
      const validatorOf = schemaValidator(document)
      const { schemas } = document.components

      for (const [name, { examples = [] }] of Object.entries(schemas)) {
        const validate = validatorOf(`components/schemas/${name}`)
        for (const example of examples) validate(example)
        assert.deepEqual(validate.errors ?? [], [], name)
      }
    })

    it(`is what the service answers: ${version}`, async (t) => {
      const api = await start(t)
      const { create, call, walk } = asking(document)
      const all = Object.keys(document.paths).filter((path) =>
        /^[^{]*(clients|people|messages)$/.test(path),
      )

      for (const path of all) {
        await call(api, 'get', path, path)
        const made = await create(api, path)
        if (made === null) continue
        const nested = `${path}/{id}/orders`
        const order = nested in document.paths ? `${path}/${made}/orders` : null
        if (order !== null) {
          const id = await create(api, nested, order)
          await walk(api, `${nested}/{subid}`, `${order}/${id}`)
        }
        await walk(api, `${path}/{id}`, `${path}/${made}`)
      }
    })
  }

  it('is served below the version, and so is its page', async (t) => {
    const api = await start(t)

    for (const [name, document] of [
      ['v1', v1],
      ['v1.1.0', v11],
      ['v2', v2],
    ] as const) {
      const { json } = await api.get(`/${name}/openapi.json`, { key: null })
      const page = await api.get(`/docs/${name}`, { key: null })
      const index = await api.get(`/${name}`, { key: null })

      assert.deepEqual(Object.keys(json.paths), Object.keys(document.paths))
      assert.match(page.text, new RegExp(`href="/${name}/openapi.json"`))
      assert.match(
        index.headers['link'] ?? '',
        new RegExp(`/${name}/openapi.json>; rel="service-desc"`),
      )
    }
    assert.equal((await api.get('/docs')).text, (await api.get('/docs/v2')).text)
    assert.equal((await api.get('/v3/openapi.json')).status, 404)
  })

  it('says with its own answer that the version ends', async (t) => {
    const api = await start(t)

    for (const path of ['/v1', '/v1/openapi.json', '/v1/clients']) {
      const { headers } = await api.get(path)
      assert.equal(headers['deprecation'], '@1767225600', path)
      assert.equal(headers['sunset'], 'Fri, 01 Jan 2027 00:00:00 GMT', path)
    }
    assert.equal('deprecation' in (await api.get('/v2/openapi.json')).headers, false)
  })

  it('is gone with the version', async (t) => {
    const versions = versioned.versions.map((each) =>
      each.name === 'v1' ? { ...each, retired: true } : each,
    )
    const api = await startApi(t, { offer: { ...versioned, versions } })

    assert.equal((await api.get('/v1/openapi.json')).status, 410)
    assert.equal((await api.get('/v1')).status, 410)
    assert.equal((await api.get('/docs/v1')).status, 404)
    assert.doesNotMatch((await api.get('/docs')).text, /"\/docs\/v1"/)
  })
})

describe('the page of a version', () => {
  it('leads to those of the others, and says which one it is', () => {
    const [, version, all] =
      /data-version="([^"]*)" data-versions="([^"]*)"/.exec(pageOf('v1.1.0')) ?? []

    assert.equal(version, 'v1.1.0')
    assert.deepEqual(all?.split(' ').toSorted(), ['v1', 'v1.1.0', 'v2'])
  })
})

describe('A field that a version has and the newest has no more', () => {
  it('can be asked for, and stays away where it is not', async (t) => {
    const api = await start(t)
    await api.put('/v1/clients/ann', { name: 'Ann', vip: true })

    const [both, alone, without] = [
      await api.get('/v1/clients/ann?fields=name,vip'),
      await api.get('/v1/clients?fields=vip'),
      await api.get('/v1/clients/ann?fields=name'),
    ]

    assert.deepEqual(both.json, { id: 'ann', name: 'Ann', vip: false })
    assert.deepEqual(alone.json, [{ id: 'ann', vip: false }])
    assert.deepEqual(without.json, { id: 'ann', name: 'Ann' })
  })
})

function start(t: TestContext): Promise<TestApi> {
  return startApi(t, { offer: versioned })
}
