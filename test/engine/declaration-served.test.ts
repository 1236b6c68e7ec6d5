import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { choice, integer, object, text } from '../../src/core/declaration/field.ts'
import { startDeclared, storeKinds } from './support/declared-api.ts'

const shops = {
  name: 'shops',
  noun: 'shop',
  description: 'A shop.',
  searchedBy: ['name'],
  fields: {
    name: text({ required: true, maxLength: 50 }),
    code: text({ nullable: true, unique: true, maxLength: 10 }),
    size: integer({ default: 1, minimum: 0, indexed: true }),
    pin: text({ writeOnly: true, required: true, minLength: 4 }),
    place: object({ town: text({ nullable: true, indexed: true }) }, { nullable: true }),
  },
}

const notes = (parent: string) => ({
  name: 'notes',
  noun: 'note',
  description: 'A note.',
  parent,
  order: 'newestFirst',
  searchedBy: ['text'],
  fields: {
    text: text({ required: true }),
    mood: choice(['GOOD', 'BAD'], { default: 'GOOD', indexed: true }),
  },
})

const secrets = {
  name: 'secrets',
  noun: 'secret',
  description: 'For administrators.',
  administratorsOnly: true,
  methods: { collection: ['GET'], instance: ['GET', 'PUT'] },
  fields: { name: text({ nullable: true }) },
}

for (const kind of storeKinds) {
  describe(`a declared collection, with the ${kind} store`, () => {
    const start = (t: Parameters<typeof startDeclared>[0]) =>
      startDeclared(t, kind, [shops, notes('shops'), notes('contacts'), secrets])

    it('has what every collection has, without a line of code', async (t) => {
      const api = await start(t)

      const made = await api.post('/v1/shops', {
        name: 'Élan',
        pin: '1234',
        place: { town: 'Ulm' },
      })
      await api.put('/v1/shops/second', { name: 'Zoo', pin: '1234', size: 7 })

      const { id } = made.json
      assert.equal(made.status, 201)
      assert.match(id, /^shop_[0-9a-z]{26}$/)
      assert.deepEqual(Object.keys(made.json), [
        'id',
        'name',
        'code',
        'size',
        'place',
        'createdAt',
        'updatedAt',
      ])
      const found = async (query: string) => {
        const { json } = await api.get(`/v1/shops?${query}`)
        return json.map((each: { name: string }) => each.name)
      }
      assert.deepEqual(await found('search=%C3%A9LAN'), ['Élan'])
      assert.deepEqual(await found('place.town=Ulm'), ['Élan'])
      assert.deepEqual(await found('size_gte=2'), ['Zoo'])
      assert.deepEqual(await found('sort=name_asc'), ['Zoo', 'Élan'])
      const read = await api.get(`/v1/shops/${id}`)
      const same = await api.get(`/v1/shops/${id}`, {
        headers: { 'if-none-match': read.headers['etag'] ?? '' },
      })
      assert.equal(same.status, 304)
    })

    it('takes no second value of a unique field, but the same in another account', async (t) => {
      const api = await start(t)
      const key = await api.newAccount('theirs')
      const shop = { name: 'A', pin: '1234', code: 'A1' }
      await api.post('/v1/shops', shop)

      const again = await api.post('/v1/shops', shop)
      const elsewhere = await api.post('/v1/shops', shop, { key })

      assert.equal(again.status, 409)
      assert.equal(elsewhere.status, 201)
    })

    it('asks for a hidden value once: read, change, replace works without it', async (t) => {
      const api = await start(t)
      const without = await api.put('/v1/shops/s1', { name: 'A' })
      const { json } = await api.put('/v1/shops/s1', { name: 'A', pin: '1234' })

      const replaced = await api.put('/v1/shops/s1', { ...json, name: 'B' })
      const changed = await api.patch('/v1/shops/s1', { name: 'C' })
      const wrong = await api.patch('/v1/shops/s1', { pin: '12' })

      assert.equal(without.status, 400)
      assert.equal(replaced.status, 200)
      assert.equal(changed.json.name, 'C')
      assert.equal(wrong.status, 400)
    })

    it('nests in one of the operator’s or one built in, with the same name in both', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', { name: 'A', pin: '1234' })
      await api.put('/v1/contacts/c1', { address: '+4915112345678' })

      const made = await api.post('/v1/contacts/c1/notes', { text: 'calls back' })
      await api.post('/v1/contacts/c1/notes', { text: 'is angry', mood: 'BAD' })
      await api.put('/v1/shops/s1/notes/n1', { text: 'closed' })

      assert.equal(made.headers['location'], `/v1/contacts/c1/notes/${made.json.id}`)
      const bad = await api.get('/v1/contacts/c1/notes?mood=BAD')
      const searched = await api.get('/v1/contacts/c1/notes?search=CALLS')
      const other = await api.get('/v1/shops/s1/notes')
      const misled = await api.get(`/v1/shops/s1/notes/${made.json.id}`)
      const orphan = await api.post('/v1/contacts/nobody/notes', { text: 'x' })
      assert.equal(bad.json.length, 1)
      assert.equal(searched.json.length, 1)
      assert.deepEqual(
        other.json.map((each: { id: string }) => each.id),
        ['n1'],
      )
      assert.equal(misled.status, 404)
      assert.equal(orphan.status, 404)
      const index = await api.get('/v1', { key: null })
      assert.equal(index.json.collections['contacts/notes'], '/v1/contacts/{id}/notes')
      assert.equal(index.json.collections['shops/notes'], '/v1/shops/{id}/notes')
    })

    it('goes with the instance that it is nested in', async (t) => {
      const api = await start(t)
      await api.put('/v1/contacts/c1', { address: '+4915112345678' })
      await api.put('/v1/contacts/c1/notes/n1', { text: 'x' })

      await api.delete('/v1/contacts/c1')
      await api.put('/v1/contacts/c1', { address: '+4915112345678' })

      assert.deepEqual((await api.get('/v1/contacts/c1/notes')).json, [])
    })

    it('has scopes of its own, and what is nested has those of its root', async (t) => {
      const api = await start(t)
      await api.put('/v1/contacts/c1', { address: '+4915112345678' })
      const key = await api.newAccount('theirs', ['shops:read'])

      const statuses = await Promise.all([
        api.get('/v1/shops', { key }),
        api.post('/v1/shops', { name: 'A', pin: '1234' }, { key }),
        api.get('/v1/contacts/c1/notes', { key }),
        api.get('/v1/secrets', { key }),
        api.get('/v1/secrets'),
      ])

      assert.deepEqual(
        statuses.map(({ status }) => status),
        [200, 403, 403, 403, 200],
      )
    })

    it('offers the methods that it is declared with, and no others', async (t) => {
      const api = await start(t)
      await api.put('/v1/secrets/s1', {})

      const made = await api.post('/v1/secrets', {})
      const removed = await api.delete('/v1/secrets/s1')

      assert.equal(made.status, 405)
      assert.equal(made.headers['allow'], 'GET, HEAD, POST, QUERY, OPTIONS')
      assert.equal(removed.status, 405)
      assert.equal(removed.headers['allow'], 'GET, HEAD, PUT, OPTIONS')
    })
  })
}
