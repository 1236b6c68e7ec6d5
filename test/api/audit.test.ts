import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { clientAddresses } from '../../src/http/access/client-address.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

async function eventsOf(api: TestApi, query = '', key = api.adminKey) {
  const { json } = await api.get(`/v1/auditEvents?pageSize=100&${query}`, { key })
  return json
}

for (const kind of storeKinds) {
  describe(`The audit (${kind})`, () => {
    it('names who changed which fields, and no values', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme')
      const url = 'https://shop.example/'
      const headers = { 'X-Key': 'sesame' }

      await api.put('/v1/webhooks/w', { url, headers }, { key })
      await api.patch('/v1/webhooks/w', { name: 'Shop', headers: { 'X-Key': 'open' } }, { key })
      await api.put('/v1/webhooks/w', { url, name: 'Shop', headers: { 'X-Key': null } }, { key })
      await api.put('/v1/webhooks/w', { url, headers: { 'X-Key': null } }, { key })
      await api.delete('/v1/webhooks/w', { key })
      await api.put('/v1/contacts/c', { address: '12345' }, { key })

      const events = await eventsOf(api, 'account=acme&sort=id_asc')
      assert.deepEqual(
        events.map(({ action, resource, fields }: never) => [action, resource, fields]).slice(1),
        [
          ['CREATED', '/v1/webhooks/w', ['url', 'headers']],
          ['CHANGED', '/v1/webhooks/w', ['name']],
          ['REPLACED', '/v1/webhooks/w', ['name']],
          ['DELETED', '/v1/webhooks/w', []],
        ],
      )
      const [made, created] = events
      assert.deepEqual([made.action, made.actor.account], ['CREATED', 'account_default'])
      assert.equal(created.actor.account, 'acme')
      assert.match(created.requestId, /^request_/)
      assert.doesNotMatch(JSON.stringify(events), /sesame/)
    })

    it('has nothing of a change that failed or changed nothing', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/accounts/acme', { name: 'Acme' })
      const before = await eventsOf(api)

      await api.put('/v1/accounts/acme', { name: 'Acme' })
      await api.put('/v1/accounts/acme', { name: '' })

      assert.deepEqual(await eventsOf(api), before)
    })

    it('has refused requests, and shows an account its own', async (t) => {
      const api = await startOver(t, kind)
      const reader = await api.newAccount('acme', ['auditEvents:read'])

      await api.get('/v1/contacts', { key: reader })
      await api.get('/v1/contacts', { key: 'nuncio_key_none' })
      await api.clock.advance(1000)
      const isThere = async (): Promise<boolean> =>
        (await eventsOf(api, 'action=REFUSED')).length === 2
      for (let round = 0; round < 100 && !(await isThere()); round += 1) await api.clock.advance(10)

      const all = await eventsOf(api, 'action=REFUSED')
      const own = await eventsOf(api, 'action=REFUSED', reader)
      assert.deepEqual(
        all.map(({ actor }: never) => (actor === null ? null : actor['account'])).toSorted(),
        ['acme', null],
      )
      assert.deepEqual(
        own.map(({ resource }: never) => resource),
        ['/v1/contacts'],
      )
    })
  })
}

describe('Refused requests', () => {
  it('are counted in the log beyond a hundred a second, each second for itself', async (t) => {
    const lines: unknown[] = []
    const api = await startApi(t, { log: (...line) => lines.push(line) })
    const reader = await api.newAccount('acme', ['auditEvents:read'])
    for (const count of [102, 100, 101]) {
      for (let nth = 0; nth < count; nth += 1) await api.get('/v1/contacts', { key: reader })
      await api.clock.advance(1000)
    }

    assert.deepEqual(
      lines.filter((line) => String(line).includes('refusals')),
      [2, 1].map((count) => ['warn', 'refusals not recorded', { count }]),
    )
  })
})

describe('Failed credentials', () => {
  it('are throttled by address; credentials that were right before pass', async (t) => {
    const api = await startOver(t, 'memory')
    await api.get('/v1/contacts')
    const statuses: number[] = []
    for (let count = 0; count < 40; count += 1) {
      const { status } = await api.get('/v1/contacts', { key: `nuncio_key_${count}_x` })
      statuses.push(status)
    }
    const known = await api.get('/v1/contacts')
    await api.clock.advance(5000)
    const later = await api.get('/v1/contacts', { key: 'nuncio_key_x' })

    assert.equal(statuses[0], 401)
    assert.equal(statuses.at(-1), 429)
    assert.deepEqual([known.status, later.status], [200, 401])
  })
})

describe('The address of a client', () => {
  const addressOf = clientAddresses((address) => address.startsWith('10.') || address === '::1')
  const from = (peer: string, headers: Record<string, string>): string | null =>
    addressOf({ method: 'GET', target: '/', headers, peer: () => peer })

  it('is the one that the last trusted proxy saw', () => {
    const chain = { 'x-forwarded-for': '6.6.6.6, 198.51.100.7, 10.0.0.2' }
    assert.equal(from('10.0.0.1', chain), '198.51.100.7')
    assert.equal(from('192.0.2.1', chain), '192.0.2.1')
    assert.equal(
      from('::ffff:10.0.0.1', { forwarded: 'for="[2001:db8::1]:4711";proto=https' }),
      '2001:db8::1',
    )
    assert.equal(from('10.0.0.1', { forwarded: 'for=unknown' }), '10.0.0.1')
    assert.equal(from('10.0.0.1', {}), '10.0.0.1')
  })
})
