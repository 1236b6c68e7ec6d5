import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { OpenIdProvider } from '../../src/core/declaration/open-id.ts'
import type { Read, TestApi } from '../support/api.ts'
import { client, fakeIssuer, type FakeIssuer } from './support/fake-issuer.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

const accounts = ['acme', 'bank', 'clinic', 'depot']

/** Each account has its people; `ops` administers all. */
const grants = [
  { claim: 'groups', value: 'ops', account: 'account_default', scopes: ['admin'] },
  ...accounts.map((account) => {
    return { claim: 'company', value: account, account, scopes: ['messages:read', 'contacts:read'] }
  }),
  { claim: 'company', value: 'ghost', account: 'ghost', scopes: ['*'] },
]

async function start(
  t: TestContext,
  kind: (typeof storeKinds)[number] = 'memory',
  own: Partial<OpenIdProvider> = {},
): Promise<{ api: TestApi; issuer: FakeIssuer }> {
  const issuer = await fakeIssuer()
  t.after(() => issuer[Symbol.asyncDispose]())
  const url = new URL('http://127.0.0.1:8080')
  const scope = 'openid email'
  const oidc = { issuer: new URL(issuer.url), ...client, url, scope, grants, ...own }
  const api = await startOver(t, kind, { oidc })
  for (const id of accounts) await api.put(`/v1/accounts/${id}`, { name: id })
  return { api, issuer }
}

const target = '/v1/sessions/authorization'

/** Begins a sign-in; returns where the browser is sent, and the cookie that it gets. */
async function begin(api: TestApi): Promise<{ location: string; cookie: string }> {
  const { status, headers, text } = await api.get(target, { key: null })
  assert.equal(status, 303, text)
  const cookie = headers['set-cookie']?.split(';')[0] ?? ''
  return { location: headers['location'] ?? '', cookie }
}

function comeBack(api: TestApi, url: URL, cookie: string): Promise<Read> {
  const path = `${url.pathname}${url.search}`
  return api.get(path, { key: null, headers: { cookie } })
}

const person = { sub: 'u1', email: 'ann@example.com', email_verified: true }

for (const kind of storeKinds) {
  describe(`a sign-in at an OpenID provider (${kind})`, () => {
    it('gives people the account and the scopes of their claims, and the audit names them', async (t) => {
      const { api, issuer } = await start(t, kind)
      for (const account of accounts) {
        const { location, cookie } = await begin(api)
        const claims = { ...person, sub: account, company: account }
        const back = await comeBack(api, issuer.signIn(location, claims), cookie)
        assert.deepEqual([back.status, back.headers['location']], [303, '/console#signed-in'])

        const own = {
          key: null,
          headers: { cookie: back.headers['set-cookie']?.split(';')[0] ?? '' },
        }
        const session = await api.get('/v1/sessions/current', own)
        assert.equal(session.json.account, account)
        assert.equal(session.json.person, `ann@example.com (${account})`)
        assert.deepEqual(session.json.scopes, ['messages:read', 'contacts:read'])
        assert.equal((await api.get('/v1/contacts', own)).status, 200)
        assert.equal((await api.get('/v1/webhooks', own)).status, 403)
      }
      const events = (await api.get('/v1/auditEvents?action=SIGNED_IN&sort=id_asc')).json
      assert.deepEqual(
        events.map(({ actor }: Event) => [actor.account, actor.person]),
        accounts.map((account) => [account, `ann@example.com (${account})`]),
      )
    })
  })
}

interface Event {
  readonly actor: { readonly account: string; readonly person: string }
}

describe('a sign-in at an OpenID provider', () => {
  it('sends the browser there with PKCE, state and nonce, which only the cookie has in clear', async (t) => {
    const { api } = await start(t)
    const { headers } = await api.get(target, { key: null })
    const to = new URL(headers['location'] ?? '')

    assert.equal(to.pathname, '/authorize')
    assert.equal(to.searchParams.get('response_type'), 'code')
    assert.equal(to.searchParams.get('code_challenge_method'), 'S256')
    assert.equal(to.searchParams.get('redirect_uri'), 'http://127.0.0.1:8080/v1/sessions/callback')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      assert.match(to.searchParams.get(name) ?? '', /^[\w-]{43}$/)
    }
    const cookie = headers['set-cookie'] ?? ''
    assert.match(cookie, /^nuncio_sign_in=[\w-]+; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    assert.ok(!cookie.includes(to.searchParams.get('state') ?? ''))
  })

  it('sets secure cookies where browsers use TLS', async (t) => {
    const { api, issuer } = await start(t, 'memory', { url: new URL('https://sms.example') })
    const { location, cookie } = await begin(api)
    const back = issuer.signIn(location, { ...person, groups: ['ops'] })
    const { headers } = await comeBack(api, back, cookie)

    assert.match(cookie, /^__Host-nuncio_sign_in=/)
    assert.match(headers['set-cookie'] ?? '', /^__Host-nuncio_session=.*SameSite=Strict; Secure$/)
  })

  it('is offered at the root only where there is a provider', async (t) => {
    const { api } = await start(t)
    const without = await startOver(t, 'memory')

    assert.equal((await api.get('/')).json.signIn, target)
    assert.equal((await without.get('/')).json.signIn, undefined)
    for (const path of [target, '/v1/sessions/callback?code=x&state=y']) {
      for (const extras of [{ key: null }, {}]) {
        const answer = await without.get(path, extras)
        assert.equal(answer.status, 404)
        assert.match(answer.json.detail, /no OpenID provider is configured/)
      }
    }
    assert.equal((await without.get('/v1/sessions/other', { key: null })).status, 401)
    assert.equal((await api.post(target, {})).status, 405)
  })

  it('refuses every return that does not belong to a sign-in of this browser', async (t) => {
    const { api, issuer } = await start(t)
    const { location, cookie } = await begin(api)
    const good = issuer.signIn(location, { ...person, groups: ['ops'] })
    const other = await begin(api)
    const changed = (name: string, value: string): URL => {
      const url = new URL(good)
      url.searchParams.set(name, value)
      return url
    }
    const answer = async (url: URL, sent: string) => {
      const { status, json, headers } = await comeBack(api, url, sent)
      assert.equal(headers['set-cookie'], undefined)
      return [status, json.type]
    }

    const forged = `${cookie.slice(0, -4)}AAAA`
    assert.deepEqual(await answer(good, ''), [400, '/problems/invalid-request'])
    assert.deepEqual(await answer(good, forged), [400, '/problems/invalid-request'])
    assert.deepEqual(await answer(changed('state', 'x'), cookie), [401, '/problems/unauthorized'])
    assert.deepEqual(await answer(good, other.cookie), [401, '/problems/unauthorized'])
    assert.deepEqual(await answer(changed('code', 'x'), cookie), [401, '/problems/unauthorized'])
    assert.deepEqual(await answer(changed('iss', 'https://evil.example'), cookie), [
      401,
      '/problems/unauthorized',
    ])
    assert.equal((await comeBack(api, good, cookie)).status, 303)
    assert.deepEqual(await answer(good, cookie), [401, '/problems/unauthorized'])
  })

  it('refuses a code with another nonce, signature, audience or issuer, and an old token', async (t) => {
    const { api, issuer } = await start(t)
    const status = async (): Promise<number> => {
      const { location, cookie } = await begin(api)
      const back = issuer.signIn(location, { ...person, groups: ['ops'] })
      return (await comeBack(api, back, cookie)).status
    }

    for (const forged of [
      { nonce: 'x' },
      { aud: 'other' },
      { iss: 'https://evil.example' },
      { exp: 1 },
    ]) {
      issuer.forged = forged
      assert.equal(await status(), 401, JSON.stringify(forged))
    }
    issuer.forged = {}
    issuer.signsWithOtherKey = true
    assert.equal(await status(), 401)
    issuer.signsWithOtherKey = false
    assert.equal(await status(), 303)
  })

  it('says that the provider denied access, that time is up, and that nothing is granted', async (t) => {
    const { api, issuer } = await start(t)
    const { location, cookie } = await begin(api)
    const denied = issuer.signIn(location, person)
    denied.searchParams.delete('code')
    denied.searchParams.set('error', 'access_denied')
    const late = await begin(api)

    const detail = async (url: URL, sent: string): Promise<readonly unknown[]> => {
      const { status, json } = await comeBack(api, url, sent)
      return [status, json.detail]
    }
    assert.deepEqual(await detail(denied, cookie), [
      403,
      'The provider denied access, or the sign-in was cancelled.',
    ])
    for (const claims of [
      {},
      { groups: 'other' },
      { company: 'ghost' },
      { company: ['toString'] },
    ]) {
      const { location: to, cookie: sent } = await begin(api)
      assert.equal(
        (await comeBack(api, issuer.signIn(to, { ...person, ...claims }), sent)).status,
        403,
      )
    }
    await api.patch('/v1/accounts/bank', { active: false })
    const closed = await begin(api)
    const toClosed = issuer.signIn(closed.location, { ...person, company: 'bank' })
    assert.equal((await comeBack(api, toClosed, closed.cookie)).status, 403)
    await api.clock.advance(10 * 60_000)
    const [status, text] = await detail(
      issuer.signIn(late.location, { ...person, groups: 'ops' }),
      late.cookie,
    )
    assert.equal(status, 400)
    assert.match(String(text), /within ten minutes/)
  })

  it('says that the provider cannot be reached, and tries again after a second', async (t) => {
    const { api, issuer } = await start(t)
    issuer.padding = 300_000
    const failed = await api.get(target, { key: null })
    issuer.padding = 0
    assert.equal((await api.get(target, { key: null })).status, 503)
    await api.clock.advance(1000)

    assert.deepEqual([failed.status, failed.json.type], [503, '/problems/unavailable'])
    assert.equal(failed.headers['retry-after'], '5')
    await begin(api)
    await begin(api)
    const read = issuer.asked.filter((each) => each.includes('openid-configuration'))
    assert.equal(read.length, 2)
  })
})
