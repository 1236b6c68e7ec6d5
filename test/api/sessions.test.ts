import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sessions } from '../../src/collections/sessions/sessions.ts'
import { newSignInCode } from '../../src/collections/sessions/sign-in-codes.ts'
import { typeIds } from '../../src/core/id.ts'
import { systemRandom } from '../../src/core/ports/random.ts'
import { startApi, type Read, type TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

const host = 'nuncio.example'
const hourMs = 3_600_000

/** Signs in as a page of the service does; returns the response and the cookie to send. */
async function signIn(api: TestApi, key: string, origin = `http://${host}`) {
  const headers = { host, origin, 'sec-fetch-site': 'same-origin' }
  const begun = await api.post('/v1/sessions', {}, { key, headers })
  const cookie = (begun.headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { begun, cookie }
}

/** Sends a request with a cookie in place of a key. */
function withCookie(api: TestApi, cookie: string, headers: Readonly<Record<string, string>> = {}) {
  const own = { key: null, headers: { host, cookie, 'sec-fetch-site': 'same-origin', ...headers } }
  return {
    get: (target: string): Promise<Read> => api.get(target, own),
    post: (target: string, body: unknown): Promise<Read> => api.post(target, body, own),
    delete: (target: string): Promise<Read> => api.delete(target, own),
  }
}

for (const kind of storeKinds) {
  describe(`A session (${kind})`, () => {
    it('begins with a key, and has its rights without showing it', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme', ['contacts:read', 'contacts:write'])

      const { begun, cookie } = await signIn(api, key)
      const browser = withCookie(api, cookie)
      const own = await browser.get('/v1/sessions/current')

      assert.equal(begun.status, 201)
      assert.equal(begun.headers['location'], `/v1/sessions/${begun.json.id}`)
      assert.match(
        begun.headers['set-cookie'] ?? '',
        /^nuncio_session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
      )
      assert.deepEqual(own.json, begun.json)
      const names = [
        'id',
        'key',
        'person',
        'account',
        'scopes',
        'expiresAt',
        'createdAt',
        'updatedAt',
      ]
      assert.deepEqual(Object.keys(own.json), names)
      assert.deepEqual([own.json.account, own.json.scopes.length], ['acme', 2])
      assert.equal((await browser.get('/v1/contacts')).status, 200)
      assert.equal((await browser.post('/v1/contacts', { address: '12345' })).status, 201)
      assert.equal((await browser.get('/v1/messages')).status, 403)
      const list = await browser.get('/v1/sessions')
      assert.equal(list.json.detail, 'The key lacks the scope sessions:read.')
    })

    it('changes nothing for another site', async (t) => {
      const api = await startOver(t, kind)
      const { cookie } = await signIn(api, api.adminKey)
      const status = async (headers: Readonly<Record<string, string>>): Promise<number> => {
        const sent = { key: null, headers: { host, cookie, ...headers } }
        return (await api.post('/v1/contacts', { address: '12345' }, sent)).status
      }

      assert.equal(await status({ 'sec-fetch-site': 'cross-site' }), 403)
      assert.equal(await status({ 'sec-fetch-site': 'same-site' }), 403)
      assert.equal(await status({ origin: 'https://evil.example' }), 403)
      assert.equal(await status({ origin: 'null' }), 403)
      assert.equal(await status({}), 403)
      assert.equal(await status({ origin: `https://${host}` }), 201)
      assert.equal(await status({ 'sec-fetch-site': 'same-origin' }), 201)
      const foreign = { headers: { 'sec-fetch-site': 'cross-site' } }
      assert.equal((await api.post('/v1/sessions', {}, foreign)).status, 403)
    })

    it('ends when it is deleted', async (t) => {
      const api = await startOver(t, kind)
      const browser = withCookie(api, (await signIn(api, api.adminKey)).cookie)

      assert.equal((await browser.delete('/v1/sessions/current')).status, 204)

      assert.equal((await browser.get('/v1/contacts')).status, 401)
    })

    it('ends with its key, and when the scopes of the key change', async (t) => {
      const api = await startOver(t, kind)
      const made = async () => (await api.post('/v1/keys', { scopes: ['*'] })).json
      const [removed, narrowed] = [await made(), await made()]
      const [first, second] = [
        withCookie(api, (await signIn(api, removed.secret)).cookie),
        withCookie(api, (await signIn(api, narrowed.secret)).cookie),
      ]
      assert.equal((await first.get('/v1/contacts')).status, 200)

      await api.delete(`/v1/keys/${removed.id}`)
      await api.patch(`/v1/keys/${narrowed.id}`, { scopes: ['contacts:read'] })

      assert.equal((await first.get('/v1/contacts')).status, 401)
      assert.equal((await second.get('/v1/contacts')).status, 401)
    })

    it('is seen and ended by the administrator, and by its account with the scope', async (t) => {
      const api = await startOver(t, kind)
      const acme = await api.newAccount('acme')
      const other = await api.newAccount('other')
      const { begun, cookie } = await signIn(api, acme)
      const target = `/v1/sessions/${begun.json.id}`

      assert.equal((await api.get(target, { key: other })).status, 404)
      assert.equal((await api.delete(target, { key: other })).status, 404)
      assert.equal((await api.get(target, { key: acme })).status, 200)
      assert.equal((await api.get('/v1/sessions?account=acme')).json.length, 1)
      assert.equal((await api.delete(target)).status, 204)
      assert.equal((await withCookie(api, cookie).get('/v1/contacts')).status, 401)
    })

    it('is recorded in the audit, with its end', async (t) => {
      const api = await startOver(t, kind)
      const { begun, cookie } = await signIn(api, api.adminKey)

      await withCookie(api, cookie).delete('/v1/sessions/current')

      const { json } = await api.get(
        `/v1/auditEvents?resource=/v1/sessions/${begun.json.id}&sort=id_asc`,
      )
      assert.deepEqual(
        json.map(({ action, actor }: never) => [action, actor['key'] === begun.json.key]),
        [
          ['SIGNED_IN', true],
          ['DELETED', true],
        ],
      )
    })

    it('begins once with a sign-in code, within ten minutes', async (t) => {
      const api = await startOver(t, kind)
      const parts = {
        clock: api.clock,
        random: systemRandom,
        newId: typeIds(api.clock, systemRandom),
      }
      const [code, late] = [
        await newSignInCode(api.store, parts),
        await newSignInCode(api.store, parts),
      ]
      const use = (given: string) => api.post('/v1/sessions', { code: given }, { key: null })

      const begun = await use(code.toLowerCase().replaceAll('-', ' '))
      const again = await use(code)
      await api.clock.advance(10 * 60_000)

      assert.match(code, /^([0-9A-HJKMNP-TV-Z]{4}-){2}[0-9A-HJKMNP-TV-Z]{4}$/)
      assert.deepEqual([begun.status, begun.json.key, begun.json.scopes], [201, null, ['admin']])
      const browser = withCookie(api, (begun.headers['set-cookie'] ?? '').split(';')[0] ?? '')
      assert.equal((await browser.get('/v1/accounts')).status, 200)
      const made = await browser.post('/v1/keys', { scopes: ['*'] })
      assert.deepEqual([made.status, made.json.expiresAt], [201, null])
      assert.deepEqual([again.status, (await use(late)).status], [401, 401])
    })

    it('is refused before it is parsed if it is longer than any code', async (t) => {
      const api = await startOver(t, kind)

      const { status, json } = await api.post(
        '/v1/sessions',
        { code: 'x'.repeat(5000) },
        { key: null },
      )

      assert.deepEqual([status, json.type], [413, '/problems/content-too-large'])
    })

    it('is stored without its cookie', async (t) => {
      const api = await startOver(t, kind)
      const { begun, cookie } = await signIn(api, api.adminKey)
      const secret = cookie.split('=')[1] ?? ''

      const { text } = await api.get(`/v1/sessions/${begun.json.id}`)
      const stored = await api.store.read(begun.json.account, (reader) =>
        reader.find(sessions, { id: begun.json.id }),
      )

      assert.equal(text.includes('igest'), false)
      assert.equal(JSON.stringify(stored).includes(secret), false)
    })
  })
}

describe('The time of a session', () => {
  it('is 12 hours, and one without a request', async (t) => {
    const api = await startApi(t)
    const used = withCookie(api, (await signIn(api, api.adminKey)).cookie)
    const idle = withCookie(api, (await signIn(api, api.adminKey)).cookie)

    // The last use is stored within a minute; what else happens in half an hour does not matter.
    const halfAnHour = async (): Promise<void> => {
      api.clock.jump(hourMs / 2 - 60_000)
      await api.clock.advance(60_000)
    }
    for (let half = 1; half < 24; half += 1) {
      await halfAnHour()
      assert.equal((await used.get('/v1/contacts')).status, 200, `after ${half / 2} hours`)
    }
    const left = await idle.get('/v1/contacts')
    await halfAnHour()
    const late = await used.get('/v1/contacts')

    assert.equal(left.status, 401)
    assert.deepEqual(
      [late.status, late.headers['www-authenticate']],
      [401, 'Bearer realm="nuncio"'],
    )
  })

  it('never outlives its key', async (t) => {
    const api = await startApi(t)
    const expiresAt = new Date(api.clock.now() + hourMs / 2).toISOString()
    const { json } = await api.post('/v1/keys', { scopes: ['*'], expiresAt })

    const { begun, cookie } = await signIn(api, json.secret)
    await api.clock.advance(hourMs / 2)

    assert.equal(begun.json.expiresAt, expiresAt)
    assert.equal((await withCookie(api, cookie).get('/v1/contacts')).status, 401)
  })
})

describe('A sign-in', () => {
  it('over TLS sets a cookie that only this host gets, over TLS', async (t) => {
    const api = await startApi(t)

    const { begun, cookie } = await signIn(api, api.adminKey, `https://${host}`)

    assert.match(begun.headers['set-cookie'] ?? '', /^__Host-nuncio_session=.*; Secure$/)
    assert.equal((await withCookie(api, cookie).get('/v1/contacts')).status, 200)
  })

  it('needs a valid key and no fields', async (t) => {
    const api = await startApi(t)

    const none = await api.post('/v1/sessions', {}, { key: null })
    const both = await api.post('/v1/sessions', { code: 'AB12-CD34-EF56' })
    const wrong = await api.post('/v1/sessions', {}, { key: 'nuncio_wrong' })
    const fields = await api.post('/v1/sessions', { acount: 'acme' })
    const bodyless = await api.post('/v1/sessions', undefined)

    assert.deepEqual([none.status, wrong.status, bodyless.status], [401, 401, 201])
    assert.deepEqual([both.status, both.json.key === null], [201, false])
    assert.equal(none.headers['www-authenticate'], 'Bearer realm="nuncio"')
    assert.deepEqual([fields.status, fields.json.errors[0].pointer], [400, '/acount'])
  })

  it('with wrong codes is slowed down', async (t) => {
    const api = await startApi(t)
    const guess = () => api.post('/v1/sessions', { code: 'AB12-CD34-EF56' }, { key: null })

    for (let count = 0; count < 30; count += 1) assert.equal((await guess()).status, 401)

    assert.equal((await guess()).status, 429)
  })

  it('is refused beyond 1,000 sessions of an account', async (t) => {
    const api = await startApi(t)
    for (let holder = 0; holder < 20; holder += 1) {
      const { json } = await api.post('/v1/keys', { scopes: ['groups:read'] })
      const { secret: key } = json
      for (let count = 0; count < 50; count += 1) await api.post('/v1/sessions', {}, { key })
    }

    const { status, json } = await api.post('/v1/sessions', {})

    assert.deepEqual([status, json.type], [403, '/problems/limit-reached'])
    assert.match(json.detail, /^The account has 1000 sessions/)
  })

  it('is refused beyond 50 sessions of a key, which takes no place of others', async (t) => {
    const api = await startApi(t)
    const { secret: key } = (await api.post('/v1/keys', { scopes: ['groups:read'] })).json
    for (let count = 0; count < 50; count += 1) await api.post('/v1/sessions', {}, { key })

    const { status, json } = await api.post('/v1/sessions', {}, { key })

    assert.deepEqual([status, json.type], [403, '/problems/limit-reached'])
    assert.match(json.detail, /^The key or person has 50 sessions/)
    assert.equal((await api.post('/v1/sessions', {})).status, 201)
  })

  it('sends no dialog to a browser without a session', async (t) => {
    const api = await startApi(t)

    const page = { key: null, headers: { 'sec-fetch-mode': 'cors' } }
    const { status, headers } = await api.get('/v1/contacts', page)

    assert.deepEqual([status, headers['www-authenticate']], [401, 'Bearer realm="nuncio"'])
  })
})
