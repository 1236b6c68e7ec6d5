import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { reference } from '../../src/core/declaration/field.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { startDeclared } from './support/declared-api.ts'

const rounds = 12

const shops = {
  name: 'shops',
  noun: 'shop',
  description: 'A shop.',
  fields: {
    owner: reference('contacts', { nullable: true }),
    sponsor: reference('contacts', { nullable: true, onDelete: 'setNull' }),
  },
}

describe(
  'a reference that is made while what it names is deleted, in PostgreSQL',
  {
    skip: await noPostgres(),
  },
  () => {
    for (const field of ['owner', 'sponsor']) {
      it(`never names what is not there, as ${field}`, async (t) => {
        const api = await startDeclared(t, 'PostgreSQL', [shops])
        const dangling: string[] = []
        for (let round = 0; round < rounds; round += 1) {
          const id = `c${round}`
          await api.put(`/v1/contacts/${id}`, { address: '+4915112345678' })

          await Promise.all([
            api.put(`/v1/shops/s${round}`, { [field]: id }),
            api.delete(`/v1/contacts/${id}`),
          ])

          const contact = await api.get(`/v1/contacts/${id}`)
          const shop = await api.get(`/v1/shops/s${round}`)
          if (contact.status === 404 && shop.json[field] === id) dangling.push(id)
        }

        assert.deepEqual(dangling, [])
      })
    }

    it('leaves no member of a group that is no contact', async (t) => {
      const api = await startDeclared(t, 'PostgreSQL', [shops])
      await api.put('/v1/groups/g', { name: 'all' })
      for (let round = 0; round < rounds; round += 1) {
        const id = `c${round}`
        await api.put(`/v1/contacts/${id}`, { address: '+4915112345678' })
        await Promise.all([
          api.post('/v1/groups/g/contacts', { id }),
          api.delete(`/v1/contacts/${id}`),
        ])
      }

      const contacts = await api.get('/v1/contacts?pageSize=1000')
      const members = await api.get('/v1/groups/g/contacts?pageSize=1000', {
        headers: { prefer: 'count=exact' },
      })

      assert.equal(members.headers['x-total-count'], String(members.json.length))
      assert.ok(members.json.length <= contacts.json.length)
    })
  },
)
