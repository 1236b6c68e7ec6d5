import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { noPostgres } from '../support/postgres/database.ts'
import { creditStores, startShop } from './support/with-credits.ts'

const message = { to: '+4915112345678', body: 'a', scheduledAt: '2026-06-01T00:00:00.000Z' }
const absent = await noPostgres()

for (const kind of creditStores) {
  const skip = kind === 'PostgreSQL' ? absent : false

  describe(`GET /v1/credits (${kind})`, { skip }, () => {
    it('shows an account its own ledger, the newest first', async (t) => {
      const { api, as } = await startShop(t, kind, 3)
      const other = await api.newAccount('other')
      const { json: sent } = await api.post('/v1/messages', message, as)

      const ours = await api.get('/v1/credits', as)
      const theirs = await api.get('/v1/credits', { key: other })
      const administrators = await api.get('/v1/accounts/shop/creditMovements')

      assert.deepEqual(
        ours.json.map(({ kind: why, amount, balance }: Movement) => [why, amount, balance]),
        [
          ['RESERVED', -1, 2],
          ['TOP_UP', 3, 3],
        ],
      )
      assert.equal(ours.json[0].messageId, sent.id)
      assert.deepEqual(ours.json, administrators.json)
      assert.deepEqual(theirs.json, [])
    })

    it('takes the parameters of every list', async (t) => {
      const { api, as } = await startShop(t, kind, 3)
      await api.post('/v1/messages', message, as)

      const found = await api.get('/v1/credits?kind=TOP_UP&fields=balance', as)
      const first = await api.get('/v1/credits?pageSize=1', as)
      const wrong = await api.get('/v1/credits?kinds=TOP_UP', as)

      assert.deepEqual(found.json, [{ id: found.json[0].id, balance: 3 }])
      assert.match(
        String(first.headers['link']),
        /<\/v1\/credits\?pageSize=1&after=.+>; rel="next"/,
      )
      assert.equal(wrong.status, 400)
    })

    it('shows one movement by its id, and no other account’s', async (t) => {
      const { api, as } = await startShop(t, kind, 3)
      const other = await api.newAccount('other')
      const [{ id }] = (await api.get('/v1/credits', as)).json

      const ours = await api.get(`/v1/credits/${id}`, as)
      const theirs = await api.get(`/v1/credits/${id}`, { key: other })

      assert.deepEqual([ours.status, ours.json.amount], [200, 3])
      assert.equal(theirs.status, 404)
    })

    it('takes the scope credits:read, and offers nothing but reading', async (t) => {
      const { api } = await startShop(t, kind, 3)
      const make = async (scopes: readonly string[]): Promise<string> => {
        const { json } = await api.post('/v1/keys', { account: 'shop', scopes })
        return json.secret
      }

      const reading = await api.get('/v1/credits', { key: await make(['credits:read']) })
      const sending = await api.get('/v1/credits', { key: await make(['messages:read']) })
      const adding = await api.post('/v1/credits', { amount: 5 }, { key: await make(['*']) })

      assert.deepEqual([reading.status, sending.status, adding.status], [200, 403, 405])
    })
  })
}

interface Movement {
  readonly kind: string
  readonly amount: number
  readonly balance: number
}
