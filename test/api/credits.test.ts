import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Read } from '../support/api.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { creditStores, startShop } from './support/with-credits.ts'

const to = '+4915112345678'
const later = '2026-06-01T00:00:00.000Z'
const long = (parts: number): string => 'a'.repeat(153 * parts)
const dry = { prefer: 'handling=dry-run' }
const absent = await noPostgres()

for (const kind of creditStores) {
  const skip = kind === 'PostgreSQL' ? absent : false

  describe(`credits (${kind})`, { skip }, () => {
    it('are not counted until an account is given a balance', async (t) => {
      const { api, as, balance, ledger } = await startShop(t, kind, null)

      const made = await api.post('/v1/messages', { to, body: 'a' }, as)
      const topUp = await api.post('/v1/accounts/shop/creditMovements', { amount: 5 })

      assert.equal(made.status, 201)
      assert.equal(topUp.status, 409)
      assert.equal(await balance(), null)
      assert.deepEqual(await ledger(), [])
    })

    it('are reserved with the message, and refused where there are too few', async (t) => {
      const { api, as, balance, ledger, check } = await startShop(t, kind, 3)

      const first = await api.post('/v1/messages', { to, body: long(2) }, as)
      const second = await api.post('/v1/messages', { to, body: long(2) }, as)
      const listed = await api.get('/v1/messages', as)

      assert.deepEqual([first.status, second.status], [201, 403])
      assert.match(second.json.type, /\/problems\/insufficient-credits$/)
      assert.equal(second.json.detail, 'This takes 2 credits, and 1 are left.')
      assert.equal(listed.json.length, 1)
      assert.equal(await balance(), 1)
      assert.deepEqual(await ledger(), ['TOP_UP 3', 'RESERVED -2'])
      await check()
    })

    it('say in a dry run what a message would do, and stay as they are', async (t) => {
      const { api, as, balance, ledger } = await startShop(t, kind, 2)
      const extras = { ...as, headers: dry }

      const enough = await api.post('/v1/messages', { to, body: long(2) }, extras)
      const short = await api.post('/v1/messages', { to, body: long(3) }, extras)

      assert.deepEqual([enough.status, short.status], [200, 403])
      assert.equal(await balance(), 2)
      assert.deepEqual(await ledger(), ['TOP_UP 2'])
    })

    it('never fall below none when a hundred messages are sent at once', async (t) => {
      const { api, as, balance, ledger, check } = await startShop(t, kind, 60)
      const body = { to, body: 'a', scheduledAt: later }
      const send = (): Promise<Read> => api.post('/v1/messages', body, as)

      const sent = await Promise.all(Array.from({ length: 100 }, send))

      const statuses = sent.map(({ status }) => status)
      assert.equal(statuses.filter((status) => status === 201).length, 60)
      assert.equal(statuses.filter((status) => status === 403).length, 40)
      assert.equal((await api.get('/v1/messages?pageSize=1000', as)).json.length, 60)
      assert.equal(await balance(), 0)
      assert.equal((await ledger()).length, 61)
      await check()
    })

    it('follow what a waiting message costs, and come back when it is cancelled', async (t) => {
      const { api, as, balance, ledger, check } = await startShop(t, kind, 3)
      await api.put('/v1/messages/m1', { to, body: 'a', scheduledAt: later }, as)

      const same = await api.patch('/v1/messages/m1', { body: 'b' }, as)
      const more = await api.patch('/v1/messages/m1', { body: long(3) }, as)
      const tooMuch = await api.patch('/v1/messages/m1', { body: long(4) }, as)
      const less = await api.put('/v1/messages/m1', { to, body: long(2), scheduledAt: later }, as)
      const left = await balance()
      const cancelled = await api.patch('/v1/messages/m1', { status: { type: 'CANCELLED' } }, as)

      const answers = [same, more, tooMuch, less, cancelled]
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 403, 200, 200],
      )
      assert.equal(left, 1)
      assert.equal(await balance(), 3)
      const moves = ['RESERVED -1', 'CHANGED -2', 'CHANGED 1', 'RETURNED 2']
      assert.deepEqual(await ledger(), ['TOP_UP 3', ...moves])
      await check()
    })

    it('come back when a message is deleted before it is handed over', async (t) => {
      const { api, as, balance, check } = await startShop(t, kind, 3)
      await api.put('/v1/messages/m1', { to, body: 'a', scheduledAt: later }, as)

      await api.delete('/v1/messages/m1', as)
      await api.put('/v1/messages/m1', { to, body: 'a', scheduledAt: later }, as)
      await api.delete('/v1/messages/m1', as)

      assert.equal(await balance(), 3)
      await check()
    })

    it('are topped up once under an idempotency key, and withdrawn as far as there are any', async (t) => {
      const { api, ledger, balance, check } = await startShop(t, kind, 0)
      const move = (amount: number, headers = {}) =>
        api.post('/v1/accounts/shop/creditMovements', { amount, note: 'invoice 7' }, { headers })
      const once = { 'idempotency-key': 'top-up-1' }

      const [first, again] = [await move(10.5, once), await move(10.5, once)]
      const taken = await move(-0.25)
      const tooMuch = await move(-11)

      assert.deepEqual([first.status, again.status, again.text], [201, 201, first.text])
      assert.equal(taken.json.balance, 10.25)
      assert.deepEqual([tooMuch.status, tooMuch.json.title], [403, 'Insufficient credits'])
      assert.deepEqual(await ledger(), ['TOP_UP 10.5', 'WITHDRAWAL -0.25'])
      assert.equal(await balance(), 10.25)
      await check()
    })

    it('are an administrator’s to see and to move', async (t) => {
      const { api, as } = await startShop(t, kind, 1)

      const read = await api.get('/v1/accounts/shop/creditMovements', as)
      const moved = await api.post('/v1/accounts/shop/creditMovements', { amount: 9 }, as)

      assert.deepEqual([read.status, moved.status], [403, 403])
    })

    it('go with their account', async (t) => {
      const { api, as } = await startShop(t, kind, 1)
      await api.post('/v1/messages', { to, body: 'a', scheduledAt: later }, as)
      await api.patch('/v1/accounts/shop', { active: false })

      const gone = await api.delete('/v1/accounts/shop')
      await api.put('/v1/accounts/shop', { name: 'another' })

      assert.equal(gone.status, 204)
      assert.equal((await api.get('/v1/accounts/shop')).json.creditBalance, null)
      assert.deepEqual((await api.get('/v1/accounts/shop/creditMovements')).json, [])
    })
  })
}
