import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { offerOf } from '../../src/wiring/wire.ts'
import { startApi, testConfig } from '../support/api.ts'

/** The details of a refusal. */
const detailsOf = ({ json }: { readonly json: { readonly errors: readonly Fault[] } }) =>
  json.errors.map(({ detail }) => detail)

interface Fault {
  readonly detail: string
}

describe('an unknown name in a request', () => {
  it('is answered with the nearest field', async (t) => {
    const api = await startApi(t)

    const body = await api.post('/v1/contacts', { adress: '12345', xyzzy: 1 })
    const nested = await api.post('/v1/accounts', { name: 'A', limits: { webhoks: 1 } })
    const query = await api.get('/v1/messages?statsu.type=SENT&status.tpye=SENT&pagesize=5')
    const compared = await api.get('/v1/messages?creatdAt_gte=2026-01-01T00:00:00Z')
    const sorted = await api.get('/v1/messages?sort=creatdAt_desc&fields=bdoy')

    const meant = (name: string): string => `is not a field. Did you mean ${name}?`
    assert.deepEqual(detailsOf(body), [meant('address'), 'is not a field', 'is required'])
    assert.deepEqual(detailsOf(nested), [meant('webhooks')])
    assert.deepEqual(detailsOf(query), [meant('status'), meant('type'), meant('pageSize')])
    assert.deepEqual(detailsOf(compared), [meant('createdAt')])
    assert.deepEqual(detailsOf(sorted), [
      `"creatdAt" ${meant('createdAt')}`,
      `names "bdoy", which ${meant('body')}`,
    ])
  })

  it('gets no hint after the first ten, nor if it is long', async (t) => {
    const api = await startApi(t)
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`addres${at}`, 1]))

    const details = detailsOf(await api.post('/v1/contacts', many))
    const long = detailsOf(
      await api.post('/v1/contacts', { address: '12345', ['a'.repeat(65)]: 1 }),
    )

    assert.equal(details.filter((detail) => detail.endsWith('?')).length, 10)
    assert.deepEqual(long, ['is not a field'])
  })

  it('is answered with a name of the version of the request', async (t) => {
    const offer = offerOf({
      ...testConfig,
      declarations: [
        {
          name: 'customers',
          noun: 'customer',
          description: 'Buyers.',
          fields: {
            fullName: { kind: 'text', nullable: true },
            notes: { kind: 'text', nullable: true },
          },
        },
      ],
      versions: [
        { name: 'v1' },
        {
          name: 'v2',
          changes: [
            { kind: 'fieldRenamed', collection: 'customers', from: 'wholeName', to: 'fullName' },
            { kind: 'fieldAdded', collection: 'customers', field: 'notes' },
          ],
        },
      ],
    })
    const api = await startApi(t, { offer })
    const note = { note: 'x' }

    const newest = detailsOf(await api.post('/v2/customers', { fulName: 'Ann', ...note }))
    const older = detailsOf(await api.post('/v1/customers', { wholName: 'Ann', ...note }))

    assert.deepEqual(newest.slice(0, 2), [
      'is not a field. Did you mean fullName?',
      'is not a field. Did you mean notes?',
    ])
    assert.deepEqual(older.slice(0, 2), [
      'is not a field. Did you mean wholeName?',
      'is not a field',
    ])
  })
})

describe('a method that a path does not have', () => {
  it('is answered with the reason and the methods', async (t) => {
    const api = await startApi(t)

    const instance = await api.get('/v1/conversations/x')
    const readOnly = await api.delete('/v1/auditEvents/x')
    const other = await api.put('/v1/contacts', {})

    assert.deepEqual([instance.status, instance.headers['allow']], [405, 'OPTIONS'])
    assert.equal(
      instance.json.detail,
      'GET is not allowed: /v1/conversations is only listed, its instances have no path. ' +
        'Use GET /v1/conversations.',
    )
    assert.equal(
      readOnly.json.detail,
      'DELETE is not allowed: this is read only; use GET, HEAD, OPTIONS.',
    )
    assert.match(other.json.detail, /^PUT is not allowed; use GET, HEAD, POST, QUERY, OPTIONS\.$/)
  })
})
