import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standardOffer, type Offer } from '../../src/wiring/wire.ts'
import { collection } from '../../src/core/declaration/collection.ts'
import { text } from '../../src/core/declaration/field.ts'
import { startApi } from '../support/api.ts'

const contracts = collection({
  name: 'contracts',
  noun: 'contract',
  description: 'A contract.',
  conditional: true,
  fields: { title: text({ required: true }) },
})

const offer: Offer = { ...standardOffer, collections: [...standardOffer.collections, contracts] }

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
