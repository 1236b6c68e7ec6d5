import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startOver, storeKinds } from './support/over-stores.ts'

for (const kind of storeKinds) {
  describe(`An administrator (${kind})`, () => {
    it('reads in the account that `account` names', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme')
      for (const id of ['a', 'b', 'c'])
        await api.put(`/v1/contacts/${id}`, { address: '12345' }, { key })
      await api.put('/v1/groups/g', { name: 'All' }, { key })
      await api.post('/v1/groups/g/contacts', { id: 'a' }, { key })
      await api.post('/v1/messages', { to: '12345', body: 'x' }, { key })
      const ids = async (target: string) =>
        (await api.get(target)).json.map(({ id }: { id: string }) => id)

      const first = await api.get('/v1/contacts?account=acme&pageSize=2')
      const next = /<([^>]*)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? ''

      assert.deepEqual(await ids('/v1/contacts'), [])
      assert.equal(first.json.length, 2)
      assert.deepEqual(await ids(next), ['c'])
      assert.deepEqual(await ids('/v1/groups/g/contacts?account=acme'), ['a'])
      assert.equal((await api.get('/v1/contacts/a?account=acme')).status, 200)
      assert.equal((await api.get('/v1/contacts/a')).status, 404)
      assert.equal((await api.get('/v1/messages?account=acme')).json.length, 1)
      assert.equal((await api.get('/v1/notifications?account=acme')).status, 200)
      const long = await api.request('QUERY', '/v1/contacts', { account: 'acme' })
      assert.equal(long.json.length, 3)
    })

    it('is told that an account does not exist, and nobody else has the parameter', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme')
      await api.newAccount('other')

      const unknown = await api.get('/v1/contacts?account=nobody')
      const [own, foreign] = [
        await api.get('/v1/contacts?account=acme', { key }),
        await api.get('/v1/contacts?account=other', { key }),
      ]

      assert.deepEqual([unknown.status, unknown.json.errors[0].parameter], [400, 'account'])
      assert.deepEqual([own.status, own.json.errors[0].parameter], [400, 'account'])
      assert.deepEqual(foreign.json.errors, own.json.errors)
    })

    it('is refused an account that does not exist by every list that filters by account', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme', ['*'])
      const lists = ['keys', 'auditEvents', 'sessions', 'statistics', 'numbers', 'prices']

      for (const name of lists) {
        const unknown = await api.get(`/v1/${name}?account=acme&account=nope`)
        assert.deepEqual(
          [unknown.status, unknown.json.errors],
          [400, [{ parameter: 'account', detail: 'names "nope", and there is no such account' }]],
          name,
        )
        assert.equal((await api.get(`/v1/${name}?account=acme`)).status, 200, name)
        assert.equal((await api.get(`/v1/${name}?account=null`)).status, 200, name)
      }
      const [missing, foreign] = [
        await api.get('/v1/keys?account=nope', { key }),
        await api.get('/v1/keys?account=account_default', { key }),
      ]
      assert.deepEqual([missing.status, missing.json], [200, []])
      assert.deepEqual([foreign.status, foreign.json], [200, []])
    })
  })
}
