import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

const address = '+4915100000001'

for (const kind of storeKinds) {
  describe(`A number (${kind})`, () => {
    it('is made by an administrator, for an account', async (t) => {
      const api = await startOver(t, kind)
      await api.newAccount('acme')

      const made = await api.post('/v1/numbers', { address: '+49 151 000-00001', account: 'acme' })
      const own = await api.put('/v1/numbers/support', { address: '12345' })

      assert.equal(made.status, 201)
      assert.deepEqual(Object.entries(made.json), [
        ['id', made.json.id],
        ['address', address],
        ['account', 'acme'],
        ['carrier', null],
        ['partsPerSecond', null],
        ['createdAt', '2026-01-01T00:00:00.000Z'],
        ['updatedAt', '2026-01-01T00:00:00.000Z'],
      ])
      assert.match(made.json.id, /^number_[0-9a-z]{26}$/)
      assert.deepEqual([own.status, own.json.account], [200, 'account_default'])
    })

    it('is read by its own account, and changed by no one but an administrator', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme', ['numbers:read', 'numbers:write'])
      const { json } = await api.post('/v1/numbers', { address, account: 'acme' })
      const path = `/v1/numbers/${json.id}`

      const read = await api.get(path, { key })
      const listed = await api.get('/v1/numbers', { key })
      const refused = [
        await api.post('/v1/numbers', { address: '12345' }, { key }),
        await api.post('/v1/numbers', { nonsense: true }, { key }),
        await api.put('/v1/numbers/mine', { address: '12345' }, { key }),
        await api.put(path, { address: '12345' }, { key }),
        await api.patch(path, { carrier: null }, { key }),
        await api.delete(path, { key }),
        await api.delete('/v1/numbers/missing', { key }),
      ]

      assert.deepEqual([read.status, listed.json], [200, [json]])
      for (const { status, json: problem } of refused) {
        const detail = 'Only a key with the scope admin can change numbers.'
        assert.deepEqual([status, problem.detail], [403, detail])
      }
      assert.deepEqual((await api.get(path)).json, json)
    })

    it('takes the scope to be read, and is hidden from other accounts', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme')
      const writer = await api.newAccount('narrow', ['numbers:write', 'messages:read'])
      const { json } = await api.post('/v1/numbers', { address })

      const found = await api.get(`/v1/numbers/${json.id}`, { key })
      const listed = await api.get(`/v1/numbers?address=${encodeURIComponent(address)}`, { key })
      const unread = await api.get('/v1/numbers', { key: writer })

      assert.deepEqual([found.status, listed.json, unread.status], [404, [], 403])
    })

    it('is seen by an administrator, whosever it is', async (t) => {
      const api = await startOver(t, kind)
      await api.newAccount('acme')
      await api.post('/v1/numbers', { address, account: 'acme' })
      await api.post('/v1/numbers', { address: '12345' })

      const all = await api.get('/v1/numbers?fields=address')
      const one = await api.get('/v1/numbers?account=acme&search=0001&fields=address')

      assert.deepEqual(
        all.json.map((number: { address: string }) => number.address),
        [address, '12345'],
      )
      assert.equal(one.json.length, 1)
    })

    it('has an address that no other has, of whatever account', async (t) => {
      const api = await startOver(t, kind)
      await api.newAccount('acme')
      await api.newAccount('beta')
      const { json } = await api.post('/v1/numbers', { address, account: 'acme' })
      const other = await api.post('/v1/numbers', { address: '12345', account: 'beta' })

      const refused = [
        await api.post('/v1/numbers', { address, account: 'acme' }),
        await api.post('/v1/numbers', { address: address.slice(1), account: 'beta' }),
        await api.post('/v1/numbers', { address }),
        await api.put('/v1/numbers/another', { address, account: 'beta' }),
        await api.patch(`/v1/numbers/${other.json.id}`, { address }),
      ]

      for (const { status, json: problem } of refused) {
        assert.deepEqual([status, problem.errors[0].pointer], [409, '/address'])
      }
      const again = await api.put(`/v1/numbers/${json.id}`, { address, account: 'acme' })
      assert.deepEqual([again.status, again.json], [200, json])
    })

    it('has one owner, however many ask for it at once', async (t) => {
      const api = await startOver(t, kind)
      const accounts = ['a', 'b', 'c', 'd']
      for (const account of accounts) await api.newAccount(account)

      const answers = await Promise.all(
        accounts.map((account) => api.post('/v1/numbers', { address, account })),
      )

      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((x, y) => x - y),
        [201, 409, 409, 409],
      )
      assert.equal((await api.get('/v1/numbers')).json.length, 1)
    })

    it('stays with its account', async (t) => {
      const api = await startOver(t, kind)
      await api.newAccount('acme')
      await api.newAccount('beta')
      const { json } = await api.post('/v1/numbers', { address, account: 'acme' })
      const path = `/v1/numbers/${json.id}`

      const moved = await api.patch(path, { account: 'beta' })
      const put = await api.put(path, { address, account: 'beta' })
      const silent = await api.put(path, { address })
      await api.delete(path)
      const anew = await api.post('/v1/numbers', { address, account: 'beta' })

      assert.deepEqual([moved.status, put.status], [409, 409])
      assert.deepEqual([silent.status, silent.json], [200, json])
      assert.deepEqual([anew.status, anew.json.account], [201, 'beta'])
    })

    it('names an account and a carrier that there are', async (t) => {
      const api = await startOver(t, kind)

      const account = await api.post('/v1/numbers', { address, account: 'nobody' })
      const carrier = await api.post('/v1/numbers', { address, carrier: 'carrier_none' })
      const form = await api.post('/v1/numbers', { address: 'not an address at all' })
      const rest = await api.post('/v1/numbers', {})
      const fine = await api.post('/v1/numbers', { address, carrier: 'carrier_simulator' })

      const pointers = [account, carrier, form, rest].map(({ status, json }) => [
        status,
        json.errors[0].pointer,
      ])
      assert.deepEqual(pointers, [
        [400, '/account'],
        [400, '/carrier'],
        [400, '/address'],
        [400, '/address'],
      ])
      assert.equal(fine.json.carrier, 'carrier_simulator')
    })

    it('goes with its account, and its address is free again', async (t) => {
      const api = await startOver(t, kind)
      await api.newAccount('acme')
      const beta = await api.newAccount('beta')
      await api.post('/v1/numbers', { address, account: 'acme' })
      const send = () =>
        api.post('/v1/messages', { from: address, to: '+447700900123', body: 'x' }, { key: beta })
      const before = await send()

      await api.patch('/v1/accounts/acme', { active: false })
      const gone = await api.delete('/v1/accounts/acme')

      assert.deepEqual([before.status, gone.status], [403, 204])
      assert.deepEqual((await api.get('/v1/numbers')).json, [])
      assert.equal((await send()).status, 201)
      assert.equal((await api.post('/v1/numbers', { address, account: 'beta' })).status, 201)
    })

    it('is sent from by its account alone: the problem names the sender', async (t) => {
      const api = await startOver(t, kind)
      const acme = await api.newAccount('acme')
      const beta = await api.newAccount('beta')
      await api.post('/v1/numbers', { address, account: 'acme' })
      const body = { from: address, to: '+447700900123', body: 'hello' }
      const later = { ...body, from: 'Beta', scheduledAt: '2026-06-01T00:00:00Z' }
      const waiting = await api.post('/v1/messages', later, { key: beta })

      const own = await api.post('/v1/messages', body, { key: acme })
      const foreign = await api.post('/v1/messages', body, { key: beta })
      const path = `/v1/messages/${waiting.json.id}`
      const changed = await api.patch(path, { from: address }, { key: beta })

      assert.equal(own.status, 201)
      for (const { status, json } of [foreign, changed]) {
        assert.deepEqual(
          [status, json.type, json.errors[0].pointer],
          [403, '/problems/forbidden', '/from'],
        )
        assert.equal(JSON.stringify(json).includes('acme'), false)
      }
    })

    it('receives what arrives at it, whoever else sent from it before', async (t) => {
      const api = await startOver(t, kind)
      const acme = await api.newAccount('acme')
      const beta = await api.newAccount('beta')
      const echoed = { from: address, to: '+10000000004', body: 'are you there?' }
      await api.post('/v1/messages', echoed, { key: beta })
      await api.clock.advance(100)
      await api.post('/v1/numbers', { address, account: 'acme' })

      const received = async (key: string) =>
        (await api.get('/v1/messages?type=RECEIVED', { key })).json.length
      const isDone = async () => (await received(acme)) + (await received(beta)) > 0
      for (let round = 0; round < 100 && !(await isDone()); round += 1) {
        await api.clock.advance(1000)
      }
      assert.deepEqual([await received(acme), await received(beta)], [1, 0])
    })
  })
}

describe('Where only registered senders are allowed', () => {
  it('a message is sent from a number of its account, or the default sender', async (t) => {
    const api = await startApi(t, { config: { senders: 'registered', defaultSender: 'Nuncio' } })
    const [acme, beta] = [await api.newAccount('acme'), await api.newAccount('beta')]
    await api.post('/v1/numbers', { address: 'Acme', account: 'acme' })
    const send = async (key: string, from?: string) => {
      const { status } = await api.post(
        '/v1/messages',
        { to: '+4915112345678', body: 'hello', from },
        { key },
      )
      return status
    }

    assert.deepEqual(
      [await send(acme, 'Acme'), await send(acme, 'Nuncio'), await send(acme)],
      [201, 201, 201],
    )
    assert.deepEqual([await send(acme, 'Other'), await send(beta, 'Acme')], [403, 403])
  })
})
