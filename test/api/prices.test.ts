import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

async function costOf(
  api: TestApi,
  to: string,
  { body = 'hello', key = api.adminKey }: { body?: string; key?: string } = {},
): Promise<number> {
  const made = await api.post('/v1/messages', { to, body }, { key })
  assert.equal(made.status, 201)
  return made.json.creditCost
}

for (const kind of storeKinds) {
  describe(`A price (${kind})`, () => {
    it('is that of the longest prefix, and one credit a part where there is none', async (t) => {
      const api = await startOver(t, kind)

      const before = await costOf(api, '+4915112345678')
      await api.put('/v1/prices/germany', { prefix: '+49', creditsPerPart: 0.07 })
      await api.put('/v1/prices/berlin', { prefix: '+4930', creditsPerPart: 0.000001 })
      await api.put('/v1/prices/short', { prefix: '123', creditsPerPart: 0 })

      assert.equal(before, 1)
      assert.equal(await costOf(api, '+4915112345678'), 0.07)
      assert.equal(await costOf(api, '+4930123456'), 0.000001)
      assert.equal(await costOf(api, '12345'), 0)
      assert.equal(await costOf(api, '+33612345678'), 1)
    })

    it('is exact for every number of parts', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/prices/all', { prefix: '', creditsPerPart: 0.1 })

      const cost = await costOf(api, '+33612345678', { body: 'a'.repeat(459) })

      assert.equal(cost, 0.3)
    })

    it('of an account comes before that of all, for the same prefix and no longer one', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('shop')
      await api.put('/v1/prices/a', { prefix: '+49', creditsPerPart: 2 })
      await api.put('/v1/prices/b', { prefix: '+49', creditsPerPart: 3, account: 'shop' })
      await api.put('/v1/prices/c', { prefix: '+4930', creditsPerPart: 4 })

      assert.equal(await costOf(api, '+4915112345678', { key }), 3)
      assert.equal(await costOf(api, '+4930123456', { key }), 4)
      assert.equal(await costOf(api, '+4915112345678'), 2)
    })

    it('counts from its commit on, and no message that is there changes', async (t) => {
      const api = await startOver(t, kind)
      const scheduledAt = '2026-06-01T00:00:00.000Z'
      await api.put('/v1/messages/m1', { to: '+33612345678', body: 'a', scheduledAt })
      await api.put('/v1/prices/all', { prefix: '', creditsPerPart: 5 })

      const kept = (await api.get('/v1/messages/m1')).json.creditCost
      const changed = (await api.patch('/v1/messages/m1', { body: 'b' })).json.creditCost
      await api.delete('/v1/prices/all')

      assert.deepEqual([kept, changed], [1, 5])
      assert.equal(await costOf(api, '+33612345678'), 1)
    })

    it('is refused where it is no price, or there is one already', async (t) => {
      const api = await startOver(t, kind)
      await api.put('/v1/prices/a', { prefix: '+49', creditsPerPart: 2 })
      const statusOf = async (body: object): Promise<number> =>
        (await api.post('/v1/prices', { prefix: '+1', creditsPerPart: 1, ...body })).status

      assert.equal(await statusOf({ creditsPerPart: 0.0000001 }), 400)
      assert.equal(await statusOf({ creditsPerPart: -1 }), 400)
      assert.equal(await statusOf({ prefix: '49x' }), 400)
      assert.equal(await statusOf({ account: 'nobody' }), 400)
      assert.equal(await statusOf({ prefix: '+49' }), 409)
    })

    it('is an administrator’s', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('shop')

      const read = await api.get('/v1/prices', { key })

      assert.equal(read.status, 403)
    })
  })
}
