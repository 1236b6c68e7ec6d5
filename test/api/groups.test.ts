import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type Read } from '../support/api.ts'

const ids = ({ json }: Read): string[] => json.map(({ id }: { id: string }) => id)

describe('A group', () => {
  it('takes contacts that exist, and makes new ones', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/groups/crew', { name: 'Crew' })
    const ada = await api.put('/v1/contacts/ada', { address: '111', name: 'Ada' })

    const added = await api.post('/v1/groups/crew/contacts', { id: 'ada' })
    const again = await api.post('/v1/groups/crew/contacts', { id: 'ada' })
    const made = await api.post('/v1/groups/crew/contacts', { address: '222', name: 'Bob' })

    assert.deepEqual([added.status, added.text], [201, ada.text])
    assert.deepEqual(
      [added.headers['location'], added.headers['etag']],
      ['/v1/groups/crew/contacts/ada', ada.headers['etag']],
    )
    assert.equal(again.status, 201)
    assert.match(made.json.id, /^contact_/)
    assert.equal((await api.get(`/v1/contacts/${made.json.id}`)).text, made.text)
    assert.equal((await api.get('/v1/groups/crew/contacts/ada')).text, ada.text)
    assert.deepEqual(ids(await api.get('/v1/groups/crew/contacts?sort=name_asc')), [
      'ada',
      made.json.id,
    ])
  })

  it('lists its members as contacts are listed', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/groups/crew', { name: 'Crew' })
    for (const id of ['a', 'b', 'c', 'd']) {
      await api.put(`/v1/contacts/${id}`, { address: '111', name: `Name ${id}`, tags: [id] })
      if (id !== 'b') await api.post('/v1/groups/crew/contacts', { id })
    }
    const list = (query: string, headers = {}) =>
      api.get(`/v1/groups/crew/contacts?${query}`, { headers })

    const counted = await list('pageSize=2&sort=id_desc', { prefer: 'count=exact' })
    const next = /<([^>]+)>; rel="next"/.exec(counted.headers['link'] ?? '')?.[1] ?? ''

    assert.deepEqual(ids(counted), ['d', 'c'])
    assert.equal(counted.headers['x-total-count'], '3')
    assert.deepEqual(ids(await api.get(next)), ['a'])
    assert.deepEqual(ids(await list('tags=c')), ['c'])
    assert.deepEqual(ids(await list('search=name')), ['a', 'c', 'd'])
    assert.deepEqual(ids(await list('name=Name b')), [])
    assert.equal((await list('contact=a')).status, 400)
  })

  it('loses a member without losing the contact, and forgets a contact that is deleted', async (t) => {
    const api = await startApi(t)
    for (const group of ['crew', 'guests']) await api.put(`/v1/groups/${group}`, { name: group })
    for (const id of ['ada', 'bob']) {
      await api.put(`/v1/contacts/${id}`, { address: '111' })
      await api.post('/v1/groups/crew/contacts', { id })
    }
    await api.post('/v1/groups/guests/contacts', { id: 'bob' })

    const left = await api.delete('/v1/groups/crew/contacts/ada')
    const twice = await api.delete('/v1/groups/crew/contacts/ada')
    await api.delete('/v1/contacts/bob')

    assert.deepEqual([left.status, twice.status], [204, 404])
    assert.equal((await api.get('/v1/contacts/ada')).status, 200)
    assert.equal((await api.get('/v1/groups/crew/contacts/ada')).status, 404)
    assert.deepEqual(ids(await api.get('/v1/groups/crew/contacts')), [])
    assert.deepEqual(ids(await api.get('/v1/groups/guests/contacts')), [])
  })

  it('is deleted without its contacts', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/groups/crew', { name: 'Crew' })
    await api.put('/v1/contacts/ada', { address: '111' })
    await api.post('/v1/groups/crew/contacts', { id: 'ada' })

    assert.equal((await api.delete('/v1/groups/crew')).status, 204)
    assert.equal((await api.get('/v1/groups/crew/contacts')).status, 404)
    assert.equal((await api.get('/v1/contacts/ada')).status, 200)
    await api.put('/v1/groups/crew', { name: 'Crew' })
    assert.deepEqual(ids(await api.get('/v1/groups/crew/contacts')), [])
  })

  it('says what is wrong, and offers no more than it has', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/groups/crew', { name: 'Crew' })
    const post = async (body: unknown) => api.post('/v1/groups/crew/contacts', body)

    const unknown = await post({ id: 'nobody' })
    const wrong = await post({ id: 7 })
    const incomplete = await post({ name: 'Ada' })

    assert.deepEqual(
      [
        unknown.json.errors[0].pointer,
        wrong.json.errors[0].pointer,
        incomplete.json.errors[0].pointer,
      ],
      ['/id', '/id', '/address'],
    )
    assert.equal((await api.post('/v1/groups/none/contacts', { id: 'x' })).status, 404)
    const put = await api.put('/v1/groups/crew/contacts/ada', {})
    assert.deepEqual([put.status, put.headers['allow']], [405, 'GET, HEAD, DELETE, OPTIONS'])
  })

  it('shows contacts only to who may see contacts, and of its own account', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/accounts/acme', { name: 'Acme' })
    const keyOf = async (scopes: string[]) =>
      (await api.post('/v1/keys', { scopes, account: 'acme' })).json.secret
    const all = { key: await keyOf(['*']) }
    const narrow = { key: await keyOf(['groups:read', 'groups:write']) }
    await api.put('/v1/groups/crew', { name: 'Crew' }, all)
    await api.put('/v1/contacts/ada', { address: '111' }, all)
    await api.put('/v1/contacts/ours', { address: '222' })

    assert.equal((await api.post('/v1/groups/crew/contacts', { id: 'ours' }, all)).status, 400)
    assert.equal((await api.post('/v1/groups/crew/contacts', { id: 'ada' }, all)).status, 201)
    assert.equal((await api.get('/v1/groups/crew/contacts', narrow)).status, 403)
    assert.equal((await api.get('/v1/groups/crew/contacts/ada', narrow)).status, 403)
    assert.equal((await api.post('/v1/groups/crew/contacts', { id: 'ada' }, narrow)).status, 403)
    assert.equal((await api.post('/v1/groups/crew/contacts', { address: '3' }, narrow)).status, 403)
    assert.equal((await api.delete('/v1/groups/crew/contacts/ada', narrow)).status, 204)
  })
})
