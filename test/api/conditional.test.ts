import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standardOffer, type Offer } from '../../src/wiring/wire.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { startApi, type Read } from '../support/api.ts'

const contracts = collection({
  name: 'contracts',
  noun: 'contract',
  description: 'A contract.',
  conditional: true,
  fields: { title: text({ required: true }) },
})

const offer: Offer = { ...standardOffer, collections: [...standardOffer.collections, contracts] }

describe('A condition that does not hold', () => {
  for (const method of ['PUT', 'PATCH', 'DELETE', 'GET', 'HEAD'] as const) {
    it(`is 412 to ${method}, which changes nothing`, async (t) => {
      const api = await startApi(t, { offer })
      const first = await api.put('/v1/contracts/c1', { title: 'a' })
      const condition = (made: Read) => ({ headers: { 'if-match': made.headers['etag'] ?? '' } })
      const second = await api.put('/v1/contracts/c1', { title: 'b' }, condition(first))
      const body = method === 'PUT' || method === 'PATCH' ? { title: 'c' } : undefined

      const stale = await api.request(method, '/v1/contracts/c1', body, condition(first))
      const read = await api.get('/v1/contracts/c1')
      const current = await api.request(method, '/v1/contracts/c1', body, condition(second))

      assert.deepEqual([stale.status, read.json.title], [412, 'b'])
      assert.equal(current.status, method === 'DELETE' ? 204 : 200)
    })
  }

  it('is 412 where nothing is to be replaced, and where nothing is to be there', async (t) => {
    const api = await startApi(t)
    const put = (name: string, value: string) =>
      api.put('/v1/contacts/c1', { address: '12345' }, { headers: { [name]: value } })

    const missing = await put('if-match', '*')
    const made = await put('if-none-match', '*')
    const again = await put('if-none-match', '*')

    assert.deepEqual([missing.status, made.status, again.status], [412, 200, 412])
  })
})

describe('A collection that demands a condition', () => {
  it('answers 428 to a change without one, and takes it with one', async (t) => {
    const api = await startApi(t, { offer })
    const made = await api.put('/v1/contracts/c1', { title: 'a' })
    const condition = { headers: { 'if-match': made.headers['etag'] ?? '' } }

    const blind = [
      await api.put('/v1/contracts/c1', { title: 'b' }),
      await api.patch('/v1/contracts/c1', { title: 'b' }),
      await api.delete('/v1/contracts/c1'),
    ]
    const seen = await api.patch('/v1/contracts/c1', { title: 'b' }, condition)

    assert.equal(made.status, 200)
    assert.deepEqual(
      blind.map(({ status }) => status),
      [428, 428, 428],
    )
    assert.equal(blind[0]?.json.type, '/problems/precondition-required')
    assert.equal(seen.json.title, 'b')
    assert.equal((await api.delete('/v1/contracts/none')).status, 404)
  })
})
