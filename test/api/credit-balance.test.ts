import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startShop } from './support/with-credits.ts'

const to = '+4915112345678'
const later = '2026-06-01T00:00:00.000Z'

describe('the creditBalance of an account', () => {
  it('begins with the account, or later, and the ledger with it', async (t) => {
    const { api, check } = await startShop(t, 'sqlite', 0.000001)

    const made = await api.post('/v1/accounts', { name: 'new', creditBalance: 7 })
    const movements = await api.get(`/v1/accounts/${made.json.id}/creditMovements`)

    assert.deepEqual([made.status, made.json.creditBalance], [201, 7])
    const { amount, kind, balance, messageId, note } = movements.json[0]
    assert.deepEqual([amount, kind, balance, messageId, note], [7, 'TOP_UP', 7, null, null])
    await check()
  })

  it('is not set back by a PUT of what was read before', async (t) => {
    const { api, as, balance } = await startShop(t, 'sqlite', 5)
    const { json: read } = await api.get('/v1/accounts/shop')
    await api.post('/v1/messages', { to, body: 'a', scheduledAt: later }, as)

    const put = await api.put('/v1/accounts/shop', { ...read, name: 'Shop' })
    const bare = await api.put('/v1/accounts/shop', { name: 'Shop 2' })

    assert.deepEqual([put.status, put.json.creditBalance], [200, 4])
    assert.deepEqual([bare.status, bare.json.creditBalance], [200, 4])
    assert.equal(await balance(), 4)
  })

  it('is moved by movements alone: a PATCH to another number is refused', async (t) => {
    const { api, balance } = await startShop(t, 'sqlite', 5)

    const same = await api.patch('/v1/accounts/shop', { creditBalance: 5, name: 'Shop' })
    const other = await api.patch('/v1/accounts/shop', { creditBalance: 6 })

    assert.deepEqual([same.status, other.status], [200, 409])
    assert.match(other.json.detail, /creditMovements/)
    assert.equal(await balance(), 5)
  })

  it('ends with null, and what was left leaves the ledger', async (t) => {
    const { api, as, ledger, check } = await startShop(t, 'sqlite', 5)
    const before = await api.get('/v1/accounts/shop')
    await api.put('/v1/messages/m1', { to, body: 'a', scheduledAt: later }, as)

    await api.clock.advance(1)
    const ended = await api.patch('/v1/accounts/shop', { creditBalance: null })
    await api.delete('/v1/messages/m1', as)
    const stale = await api.put(
      '/v1/accounts/shop',
      { name: 'Shop' },
      { headers: { 'if-match': before.headers['etag'] ?? '' } },
    )

    assert.equal(ended.json.creditBalance, null)
    assert.deepEqual(await ledger(), ['TOP_UP 5', 'RESERVED -1', 'WITHDRAWAL -4'])
    assert.equal(stale.status, 412)
    await check()
  })

  it('is a number from 0 with at most six decimals', async (t) => {
    const { api } = await startShop(t, 'sqlite', null)
    const statusOf = async (creditBalance: unknown): Promise<number> =>
      (await api.patch('/v1/accounts/shop', { creditBalance })).status

    assert.equal(await statusOf(-1), 400)
    assert.equal(await statusOf(0.0000001), 400)
    assert.equal(await statusOf('5'), 400)
    assert.equal(await statusOf(1_000_000_001), 400)
    assert.equal(await statusOf(1_000_000_000), 200)
  })

  it('has a most, which a movement does not pass', async (t) => {
    const { api, balance, check } = await startShop(t, 'sqlite', 1_000_000_000)
    const statusOf = async (amount: number): Promise<number> =>
      (await api.post('/v1/accounts/shop/creditMovements', { amount })).status

    assert.equal(await statusOf(0.000001), 409)
    assert.equal(await statusOf(0), 400)
    assert.equal(await statusOf(0.0000001), 400)
    assert.equal(await balance(), 1_000_000_000)
    await check()
  })
})
