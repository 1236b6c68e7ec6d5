import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { array, object, reference, text } from '../../src/core/declaration/field.ts'
import { startDeclared, storeKinds } from './support/declared-api.ts'

const shops = {
  name: 'shops',
  noun: 'shop',
  description: 'A shop.',
  fields: {
    name: text({ nullable: true }),
    owner: reference('contacts', { nullable: true }),
    sponsor: reference('contacts', { nullable: true, onDelete: 'setNull' }),
    parent: reference('shops', { nullable: true, onDelete: 'cascade' }),
    place: object(
      { keeper: reference('contacts', { nullable: true, onDelete: 'setNull' }) },
      { nullable: true },
    ),
    helpers: array(reference('contacts'), { default: [] }),
  },
}

const visits = {
  name: 'visits',
  noun: 'visit',
  description: 'A visit to a shop.',
  parent: 'shops',
  fields: {
    visitor: reference('contacts', { nullable: true, onDelete: 'cascade' }),
    before: reference('shops', { nullable: true }),
  },
}

for (const kind of storeKinds) {
  describe(`a reference, with the ${kind} store`, () => {
    const start = async (t: Parameters<typeof startDeclared>[0]) => {
      const api = await startDeclared(t, kind, [shops, visits])
      for (const id of ['ada', 'bob']) {
        await api.put(`/v1/contacts/${id}`, { address: '+4915112345678' })
      }
      return api
    }

    it('is refused where it names what is not there, every one at its place', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', { helpers: ['ada'] })

      const { status, json } = await api.post('/v1/shops', {
        owner: 'nobody',
        place: { keeper: 'none' },
        helpers: ['ada', 'eve'],
      })

      assert.equal(status, 400)
      assert.deepEqual(json.errors, [
        { pointer: '/owner', detail: 'names "nobody", and there is no such contact' },
        { pointer: '/place/keeper', detail: 'names "none", and there is no such contact' },
        { pointer: '/helpers/1', detail: 'names "eve", and there is no such contact' },
      ])
    })

    it('does not lead into another account', async (t) => {
      const api = await start(t)
      const key = await api.newAccount('theirs')

      const { status } = await api.post('/v1/shops', { owner: 'ada' }, { key })

      assert.equal(status, 400)
    })

    it('keeps what it names from being deleted', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', { owner: 'ada' })
      await api.put('/v1/shops/s2', { helpers: ['bob'] })

      const owner = await api.delete('/v1/contacts/ada')
      const helper = await api.delete('/v1/contacts/bob')
      await api.patch('/v1/shops/s1', { owner: null })
      const released = await api.delete('/v1/contacts/ada')

      assert.equal(owner.status, 409)
      assert.match(owner.json.detail, /^The contact "ada" is referred to by shops \(field owner\)/)
      assert.match(helper.json.detail, /shops \(field helpers\)/)
      assert.equal(released.status, 204)
    })

    it('is emptied with what it names where it says so, as a change of its instance', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', { sponsor: 'ada', place: { keeper: 'ada' } })
      const before = await api.get('/v1/shops/s1')
      await api.clock.advance(1000)

      const { status } = await api.delete('/v1/contacts/ada')

      const after = await api.get('/v1/shops/s1')
      assert.equal(status, 204)
      assert.equal(after.json.sponsor, null)
      assert.deepEqual(after.json.place, { keeper: null })
      assert.ok(after.json.updatedAt > before.json.updatedAt)
      assert.notEqual(after.headers['etag'], before.headers['etag'])
      const found = await api.get('/v1/shops?sponsor=null')
      assert.equal(found.json.length, 1)
    })

    it('takes its instance along where it says so, and what refers to that', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', {})
      await api.put('/v1/shops/s2', { parent: 's1' })
      await api.put('/v1/shops/s3', { parent: 's2' })
      await api.put('/v1/shops/s4', {})
      await api.put('/v1/shops/s4/visits/v1', { visitor: 'ada' })

      await api.delete('/v1/shops/s1')
      await api.delete('/v1/contacts/ada')

      const left = await api.get('/v1/shops')
      const visit = await api.get('/v1/shops/s4/visits/v1')
      assert.deepEqual(
        left.json.map((each: { id: string }) => each.id),
        ['s4'],
      )
      assert.equal(visit.status, 404)
    })

    it('does not hold up what it goes with: itself, a ring, what is nested', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', {})
      await api.put('/v1/shops/s2', { parent: 's1' })
      await api.patch('/v1/shops/s1', { parent: 's2' })
      await api.put('/v1/shops/s1/visits/v1', { before: 's1' })
      await api.put('/v1/shops/s2/visits/v1', { before: 's1' })

      const { status } = await api.delete('/v1/shops/s1')

      assert.equal(status, 204)
      assert.deepEqual((await api.get('/v1/shops')).json, [])
    })

    it('holds up a deletion that would take others along, which then all stay', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', {})
      await api.put('/v1/shops/s2', { parent: 's1' })
      await api.put('/v1/shops/s9', {})
      await api.put('/v1/shops/s9/visits/v1', { before: 's2' })

      const { status, json } = await api.delete('/v1/shops/s1')

      assert.equal(status, 409)
      assert.match(json.detail, /^The shop "s2" is referred to by shops\/visits \(field before\)/)
      assert.equal((await api.get('/v1/shops')).json.length, 3)
    })

    it('lets go of an instance that others refer to in great number only by and by', async (t) => {
      const api = await start(t)
      await api.put('/v1/shops/s1', {})
      for (let index = 0; index <= 1000; index += 1) {
        await api.put(`/v1/shops/t${index}`, { parent: 's1' })
      }

      const tooMany = await api.delete('/v1/shops/s1')
      await api.delete('/v1/shops/t0')
      await api.delete('/v1/shops/t1')
      const enough = await api.delete('/v1/shops/s1')

      assert.equal(tooMany.status, 409)
      assert.match(tooMany.json.detail, /More than 1000 shops refer to the shop "s1"/)
      assert.equal(enough.status, 204)
    })
  })
}
