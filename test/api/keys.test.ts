import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startOver, storeKinds } from './support/over-stores.ts'
import { startApi, type Read, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

const basic = (id: string, secret: string): string =>
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`

/** The answer of a stream that must have ended by now: one that has not would be waited for without end. */
async function ended(open: Promise<Read>): Promise<Read> {
  const answer = await Promise.race([open, settle().then(() => null)])
  return answer ?? assert.fail('the stream goes on')
}

describe('A key', () => {
  it('shows its secret once, and is the bearer token', async (t) => {
    const api = await startApi(t)

    const { status, json } = await api.post('/v1/keys', { name: 'app', scopes: ['messages:read'] })
    const read = await api.get(`/v1/keys/${json.id}`)

    assert.equal(status, 201)
    assert.equal(json.secret.startsWith(`nuncio_${json.id}_`), true)
    assert.equal((await api.get('/v1/messages', { key: json.secret })).status, 200)
    assert.equal(read.text.includes(json.secret), false)
    assert.deepEqual(Object.keys(read.json), [
      'id',
      'name',
      'scopes',
      'account',
      'expiresAt',
      'lastUsedAt',
      'createdAt',
      'updatedAt',
    ])
  })

  it('works as Basic with its id, too', async (t) => {
    const api = await startApi(t)
    const { json } = await api.post('/v1/keys', { scopes: ['*'] })
    const other = await api.post('/v1/keys', { scopes: ['*'] })
    const as = (authorization: string) =>
      api.get('/v1/contacts', { key: null, headers: { authorization } })

    assert.equal((await as(basic(json.id, json.secret))).status, 200)
    assert.equal((await as(basic(other.json.id, json.secret))).status, 401)
    assert.equal((await as(basic(json.id, 'nuncio_wrong'))).status, 401)
  })

  for (const [title, authorization] of [
    ['no key', undefined],
    ['a wrong key', 'Bearer nuncio_key_x_yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy'],
    ['another scheme', 'Digest username="x"'],
    ['an empty key', 'Bearer '],
    ['a key with a space', 'Bearer a b'],
    ['Basic that is not base64', 'Basic %%%'],
    ['Basic without a colon', `Basic ${Buffer.from('nothing').toString('base64')}`],
  ] as const) {
    it(`is asked for: ${title} is 401, with how to do it`, async (t) => {
      const api = await startApi(t)

      const { status, headers, json } = await api.get('/v1/contacts', {
        key: null,
        headers: authorization === undefined ? {} : { authorization },
      })

      assert.deepEqual([status, json.type], [401, '/problems/unauthorized'])
      assert.match(headers['www-authenticate'] ?? '', /^Bearer .*Basic /)
    })
  }

  it('has scopes of collections that there are, and is asked whether another was meant', async (t) => {
    const api = await startApi(t)
    const made = (scopes: readonly string[]) => api.post('/v1/keys', { scopes })

    const unknown = await made(['message:read'])
    const malformed = await made(['messages:delete'])
    const onlyRead = await made(['notifications:write'])

    assert.deepEqual(unknown.json.errors, [
      {
        pointer: '/scopes/0',
        detail: 'names "message", and there is no such collection. Did you mean messages?',
      },
    ])
    assert.deepEqual(malformed.json.errors, [
      {
        pointer: '/scopes/0',
        detail:
          'must be the name of a collection with :read or :write, such as messages:read, ' +
          'or *:read, *:write, * or admin',
      },
    ])
    assert.deepEqual(onlyRead.json.errors, [
      {
        pointer: '/scopes/0',
        detail: 'is no scope: notifications are only read, by notifications:read',
      },
    ])
    assert.equal((await made(['notifications:read', '*:write'])).status, 201)
  })

  it('does what its scopes say and no more', async (t) => {
    const api = await startApi(t)
    const { json } = await api.post('/v1/keys', { scopes: ['contacts:read', 'messages:write'] })
    const key = json.secret

    assert.equal((await api.get('/v1/contacts', { key })).status, 200)
    assert.equal((await api.post('/v1/contacts', {}, { key })).status, 403)
    assert.equal((await api.get('/v1/messages', { key })).status, 403)
    assert.equal((await api.post('/v1/messages', { to: '12345', body: 'x' }, { key })).status, 201)
    const refused = await api.get('/v1/keys', { key })
    assert.deepEqual(
      [refused.status, refused.json.detail],
      [403, 'The key lacks the scope keys:read.'],
    )
  })

  it('reaches accounts only as an administrator’s', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme', ['*'])

    assert.equal((await api.get('/v1/accounts', { key })).status, 403)
    assert.equal((await api.get('/v1/accounts')).status, 200)
  })

  it('makes keys of its own account with no wider scopes', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme', ['keys:write', 'contacts:read'])

    const narrow = await api.post('/v1/keys', { scopes: ['contacts:read'] }, { key })
    const wider = await api.post('/v1/keys', { scopes: ['contacts:write'] }, { key })
    const all = await api.post('/v1/keys', { scopes: ['*'] }, { key })
    const admin = await api.post('/v1/keys', { scopes: ['admin'] }, { key })
    const foreign = await api.post(
      '/v1/keys',
      { scopes: ['contacts:read'], account: 'account_default' },
      { key },
    )

    assert.deepEqual([narrow.status, narrow.json.account], [201, 'acme'])
    assert.deepEqual([wider.status, all.status, admin.status, foreign.status], [403, 403, 403, 403])
  })

  it('cannot be widened by someone with less', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme', ['keys:write', 'contacts:read'])
    const { json } = await api.post('/v1/keys', { scopes: ['contacts:read'] }, { key })

    const wider = await api.patch(`/v1/keys/${json.id}`, { scopes: ['*'] }, { key })

    assert.equal(wider.status, 403)
  })

  it('stops at once when it is revoked, expires, or its account is switched off', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/accounts/acme', { name: 'Acme' })
    const make = async (fields: object) =>
      (await api.post('/v1/keys', { scopes: ['*'], account: 'acme', ...fields })).json
    const [revoked, expiring, lasting] = [
      await make({}),
      await make({ expiresAt: '2026-01-01T00:01:00Z' }),
      await make({}),
    ]
    const status = async (key: string) => (await api.get('/v1/contacts', { key })).status

    assert.deepEqual(
      [await status(revoked.secret), await status(expiring.secret), await status(lasting.secret)],
      [200, 200, 200],
    )
    await api.delete(`/v1/keys/${revoked.id}`)
    await api.clock.advance(60_000)
    assert.deepEqual(
      [await status(revoked.secret), await status(expiring.secret), await status(lasting.secret)],
      [401, 401, 200],
    )
    await api.patch('/v1/accounts/acme', { active: false })
    assert.equal(await status(lasting.secret), 401)
    await api.patch('/v1/accounts/acme', { active: true })
    assert.equal(await status(lasting.secret), 200)
  })

  it('says when it was last used, without being a change of it', async (t) => {
    const api = await startApi(t)
    const { json } = await api.post('/v1/keys', { scopes: ['*'] })
    const before = await api.get(`/v1/keys/${json.id}`)

    await api.get('/v1/contacts', { key: json.secret })
    await api.clock.advance(60_000)
    const after = await api.get(`/v1/keys/${json.id}`)

    assert.equal(before.json.lastUsedAt, null)
    assert.equal(after.json.lastUsedAt, '2026-01-01T00:00:00.000Z')
    assert.equal(after.json.updatedAt, before.json.updatedAt)
    assert.notEqual(after.headers['etag'], before.headers['etag'])
    const condition = { headers: { 'if-match': before.headers['etag'] ?? '' } }
    assert.equal((await api.patch(`/v1/keys/${json.id}`, { name: 'x' }, condition)).status, 200)
  })

  it('must expire in the future', async (t) => {
    const api = await startApi(t)

    const { status, json } = await api.post('/v1/keys', {
      scopes: ['*'],
      expiresAt: '2025-01-01T00:00:00Z',
    })

    assert.equal(status, 400)
    assert.deepEqual(json.errors, [{ pointer: '/expiresAt', detail: 'must be in the future' }])
  })

  it('neither changes nor revokes a key that may do more', async (t) => {
    const api = await startApi(t)
    const { json: star } = await api.post('/v1/keys', { scopes: ['*'] })
    const { json: narrow } = await api.post('/v1/keys', { scopes: ['keys:write', 'keys:read'] })
    const as = { key: narrow.secret }

    const answers = [
      await api.patch(`/v1/keys/${star.id}`, { name: 'mine' }, as),
      await api.put(`/v1/keys/${star.id}`, { scopes: ['keys:read'] }, as),
      await api.delete(`/v1/keys/${star.id}`, as),
    ]

    assert.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403],
    )
    assert.equal((await api.get('/v1/contacts', { key: star.secret })).status, 200)
    assert.equal((await api.delete(`/v1/keys/${narrow.id}`, as)).status, 204)
  })

  it('of the last administrator stays', async (t) => {
    const api = await startApi(t)
    const [first] = (await api.get('/v1/keys')).json

    const alone = await api.delete(`/v1/keys/${first.id}`)
    const stepsDown = await api.patch(`/v1/keys/${first.id}`, { scopes: ['*'] })
    const { json: second } = await api.post('/v1/keys', { scopes: ['admin'] })
    const replaced = await api.delete(`/v1/keys/${first.id}`, { key: second.secret })

    assert.deepEqual([alone.status, stepsDown.status, replaced.status], [409, 409, 204])
  })

  it('of an administrator does not count as one that stays after it has expired', async (t) => {
    const api = await startApi(t)
    const [first] = (await api.get('/v1/keys')).json
    const administrator = async (fields: object) =>
      (await api.post('/v1/keys', { scopes: ['admin'], ...fields })).json
    await administrator({ expiresAt: '2026-01-01T00:01:00Z' })
    await api.post('/v1/keys', { scopes: ['*'] })

    await api.clock.advance(60_000)
    const alone = await api.delete(`/v1/keys/${first.id}`)
    await administrator({ expiresAt: '2026-01-01T00:01:00.001Z' })
    const replaced = await api.delete(`/v1/keys/${first.id}`)

    assert.deepEqual([alone.status, replaced.status], [409, 204])
  })

  it('of an administrator in another account lets the first one go, while that account is active', async (t) => {
    for (const kind of storeKinds) {
      const api = await startOver(t, kind)
      const [first] = (await api.get('/v1/keys')).json
      const other = await api.newAccount('acme', ['admin'])

      await api.patch('/v1/accounts/acme', { active: false })
      const alone = await api.delete(`/v1/keys/${first.id}`)
      await api.patch('/v1/accounts/acme', { active: true })
      const replaced = await api.delete(`/v1/keys/${first.id}`)
      const [last] = (await api.get('/v1/keys', { key: other })).json
      const stays = await api.delete(`/v1/keys/${last.id}`, { key: other })

      assert.deepEqual([alone.status, replaced.status, stays.status], [409, 204, 409], kind)
    }
  })

  it('with every scope but admin neither makes a key with admin nor becomes one', async (t) => {
    const api = await startApi(t)
    const { json: star } = await api.post('/v1/keys', { scopes: ['*'] })
    const as = { key: star.secret }

    const made = await api.post('/v1/keys', { scopes: ['admin'] }, as)
    const beside = await api.post('/v1/keys', { scopes: ['*', 'admin'] }, as)
    const changed = await api.patch(`/v1/keys/${star.id}`, { scopes: ['admin'] }, as)
    const narrower = await api.post('/v1/keys', { scopes: ['*', '*:read', 'keys:write'] }, as)

    const statuses = [made, beside, changed, narrower].map(({ status }) => status)
    assert.deepEqual(statuses, [403, 403, 403, 201])
    assert.equal(made.json.type, '/problems/forbidden')
  })

  for (const [title, change] of [
    ['loses the scope', (api) => api.patch(`/v1/keys/k`, { scopes: ['contacts:read'] })],
    ['expires', (api) => api.clock.advance(60_000)],
    ['has its account switched off', (api) => api.patch('/v1/accounts/acme', { active: false })],
  ] as const satisfies readonly (readonly [string, (api: TestApi) => Promise<unknown>])[]) {
    it(`that ${title} ends the stream that it opened`, async (t) => {
      const api = await startApi(t)
      const sender = await api.newAccount('acme')
      const { json } = await api.put('/v1/keys/k', {
        scopes: ['notifications:read'],
        account: 'acme',
        expiresAt: '2026-01-01T00:01:00Z',
      })
      const send = (body: string) =>
        api.post('/v1/messages', { to: '+10000000002', body }, { key: sender })

      const headers = { accept: 'text/event-stream' }
      const open = api.get('/v1/notifications', { key: json.secret, headers })
      await api.clock.advance(1)
      await send('before')
      await api.clock.advance(1000)
      await change(api)
      await api.patch('/v1/accounts/acme', { active: true })
      await send('after')
      await api.clock.advance(1000)
      const { text } = await ended(open)

      assert.match(text, /before/)
      assert.doesNotMatch(text, /after/)
    })
  }

  it('that is revoked ends the stream that it opened', async (t) => {
    const api = await startApi(t)
    const { json } = await api.post('/v1/keys', { scopes: ['notifications:read'] })
    const accept = { accept: 'text/event-stream' }

    const open = api.get('/v1/notifications', { key: json.secret, headers: accept })
    await api.clock.advance(1)
    await api.post('/v1/messages', { to: '+10000000002', body: 'before' })
    await api.clock.advance(1000)
    await api.delete(`/v1/keys/${json.id}`)
    await api.post('/v1/messages', { to: '+10000000002', body: 'after' })
    await api.clock.advance(1000)
    const { status, text } = await ended(open)

    assert.equal(status, 200)
    assert.match(text, /before/)
    assert.doesNotMatch(text, /after/)
  })

  it('is for an account that exists', async (t) => {
    const api = await startApi(t)

    const { status, json } = await api.post('/v1/keys', { scopes: ['*'], account: 'nobody' })

    assert.equal(status, 400)
    assert.equal(json.errors[0].pointer, '/account')
  })

  it('of another account is seen and revoked by an administrator', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/accounts/acme', { name: 'Acme' })
    const { json, headers } = await api.post('/v1/keys', { scopes: ['*'], account: 'acme' })

    assert.equal((await api.get(headers['location'] ?? '')).json.account, 'acme')
    assert.deepEqual(
      (await api.get('/v1/keys?account=acme')).json.map((key: { id: string }) => key.id),
      [json.id],
    )
    assert.equal((await api.patch(`/v1/keys/${json.id}`, { name: 'theirs' })).json.name, 'theirs')
    assert.equal((await api.delete(`/v1/keys/${json.id}`)).status, 204)
  })
})

describe('An account', () => {
  it('sees nothing of another, by whatever way it asks', async (t) => {
    const api = await startApi(t)
    const [ours, theirs] = [await api.newAccount('ours'), await api.newAccount('theirs')]
    const { json: message } = await api.post(
      '/v1/messages',
      { to: '12345', body: 'secret' },
      { key: theirs },
    )
    await api.put('/v1/contacts/ada', { address: '12345', name: 'Ada' }, { key: theirs })
    const mine = { key: ours }

    for (const path of [`/v1/messages/${message.id}`, '/v1/contacts/ada']) {
      const nothing = await api.get(path, mine)
      const neverThere = await api.get(path.replace(/.$/, '~'), mine)
      assert.equal(nothing.status, 404)
      assert.equal(nothing.json.title, neverThere.json.title)
      assert.equal((await api.patch(path, {}, mine)).status, 404)
      assert.equal((await api.delete(path, mine)).status, 404)
    }
    for (const path of [
      '/v1/messages',
      '/v1/contacts',
      '/v1/contacts?search=ada',
      '/v1/contacts?name=Ada',
      '/v1/notifications',
    ]) {
      assert.deepEqual((await api.get(path, mine)).json, [], path)
    }
    const counted = await api.get('/v1/contacts', { ...mine, headers: { prefer: 'count=exact' } })
    assert.equal(counted.headers['x-total-count'], '0')
  })

  it('may use an identifier that another uses', async (t) => {
    const api = await startApi(t)
    const [ours, theirs] = [await api.newAccount('ours'), await api.newAccount('theirs')]
    await api.put('/v1/contacts/ada', { address: '111' }, { key: theirs })

    await api.put('/v1/contacts/ada', { address: '222' }, { key: ours })

    assert.equal((await api.get('/v1/contacts/ada', { key: theirs })).json.address, '111')
    assert.equal((await api.get('/v1/contacts/ada', { key: ours })).json.address, '222')
  })

  it('is deleted only when it is switched off, with all that is its own', async (t) => {
    const api = await startApi(t)
    const key = await api.newAccount('acme')
    await api.put('/v1/contacts/ada', { address: '111' }, { key })

    const early = await api.delete('/v1/accounts/acme')
    await api.patch('/v1/accounts/acme', { active: false })
    const late = await api.delete('/v1/accounts/acme')

    assert.deepEqual([early.status, late.status], [409, 204])
    assert.match(early.json.detail, /active/)
    const again = await api.newAccount('acme')
    assert.deepEqual((await api.get('/v1/contacts', { key: again })).json, [])
    assert.equal((await api.get('/v1/contacts', { key })).status, 401)
  })

  it('of the administrator stays', async (t) => {
    const api = await startApi(t)

    assert.equal((await api.patch('/v1/accounts/account_default', { active: false })).status, 409)
    assert.equal((await api.delete('/v1/accounts/account_default')).status, 409)
  })

  it('outlives no key that made it, and does not prolong itself', async (t) => {
    const api = await startApi(t)
    const at = (ms: number): string => new Date(api.clock.now() + ms).toISOString()
    const [soon, later] = [at(60_000), at(120_000)]
    const { json: short } = await api.post('/v1/keys', { scopes: ['*'], expiresAt: soon })
    const extras = { key: short.secret }
    const lasting = await api.post('/v1/keys', { scopes: ['*'] })

    const heir = await api.post('/v1/keys', { scopes: ['*'] }, extras)
    const longer = await api.post('/v1/keys', { scopes: ['*'], expiresAt: later }, extras)
    const own = `/v1/keys/${short.id}`
    const prolonged = await api.patch(own, { expiresAt: later }, extras)
    const unlimited = await api.patch(own, { expiresAt: null }, extras)
    const shortened = await api.patch(own, { expiresAt: at(30_000) }, extras)
    const other = await api.patch(`/v1/keys/${lasting.json.id}`, { name: 'a' }, extras)
    const administrators = await api.patch(own, { expiresAt: later })

    assert.deepEqual([heir.status, heir.json.expiresAt], [201, soon])
    assert.deepEqual(
      [longer, prolonged, unlimited].map(({ status }) => status),
      [403, 403, 403],
    )
    assert.deepEqual(
      [shortened, other, administrators].map(({ status }) => status),
      [200, 200, 200],
    )
  })
})
