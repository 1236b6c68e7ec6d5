import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Read, TestApi } from '../support/api.ts'
import { startApi } from '../support/api.ts'
import { client, fakeIssuer, type FakeIssuer } from './support/fake-issuer.ts'

interface Line {
  readonly level: string
  readonly event: string
  readonly fields: Readonly<Record<string, unknown>>
}

interface Started {
  readonly api: TestApi
  readonly issuer: FakeIssuer
  /** The log lines about sign-ins. */
  readonly lines: Line[]
}

const person = { sub: 'u1', email: 'ann@example.com', email_verified: true }

async function start(t: TestContext): Promise<Started> {
  const issuer = await fakeIssuer()
  t.after(() => issuer[Symbol.asyncDispose]())
  const lines: Line[] = []
  const grants = [{ claim: 'groups', value: 'ops', account: 'ghost', scopes: ['messages:read'] }]
  const url = new URL('http://127.0.0.1:8080')
  const oidc = { issuer: new URL(issuer.url), ...client, url, scope: 'openid', grants }
  const api = await startApi(t, {
    config: { oidc },
    log: (level, event, fields = {}) => {
      if (event.startsWith('OpenID')) lines.push({ level, event, fields })
    },
  })
  return { api, issuer, lines }
}

/** Goes to the provider and back as a browser does; `change` is what happens to the address on the way. */
async function comeBack(
  { api, issuer }: Started,
  claims: object,
  change: (url: URL) => void = () => {},
  accept = 'text/html,*/*;q=0.8',
): Promise<Read> {
  const left = await api.get('/v1/sessions/authorization', { key: null })
  const cookie = left.headers['set-cookie']?.split(';')[0] ?? ''
  const url = issuer.signIn(left.headers['location'] ?? '', { ...person, ...claims })
  change(url)
  const headers = { cookie, accept }
  return api.get(`${url.pathname}${url.search}`, { key: null, headers })
}

describe('a person whom an OpenID provider sends back without a session', () => {
  it('is led to the console, which names the reason and the request', async (t) => {
    const started = await start(t)
    const denied = (url: URL): void => {
      url.searchParams.delete('code')
      url.searchParams.set('error', 'access_denied')
    }
    const answers = [
      await comeBack(started, {}),
      await comeBack(started, { groups: 'ops' }),
      await comeBack(started, {}, denied),
      await comeBack(started, {}, (url) => url.searchParams.set('state', 'x')),
      await started.api.get('/v1/sessions/callback?code=x', {
        key: null,
        headers: { accept: 'text/html' },
      }),
    ]
    started.issuer.padding = 300_000
    await started.api.clock.advance(3_600_000)
    const target = '/v1/sessions/authorization'
    answers.push(await started.api.get(target, { key: null, headers: { accept: 'text/html' } }))

    const codes = ['not-granted', 'not-granted', 'denied', 'invalid', 'not-begun', 'unavailable']
    assert.deepEqual(
      answers.map(({ status, headers, text }) => [status, headers['location'], text]),
      answers.map(({ headers }, index) => [
        303,
        `/console#refused=${codes[index]}&request=${headers['x-request-id']}`,
        '',
      ]),
    )
    assert.ok(answers.every(({ headers }) => headers['set-cookie'] === undefined))
  })

  it('gets a problem where the client does not ask for HTML', async (t) => {
    const answer = await comeBack(await start(t), {}, undefined, '*/*')

    assert.deepEqual([answer.status, answer.json.type], [403, '/problems/forbidden'])
    assert.equal(answer.json.requestId, answer.headers['x-request-id'])
  })

  it('is named by one audit event, in the browser and elsewhere', async (t) => {
    const started = await start(t)
    const { api } = started
    const browser = await comeBack(started, {})
    const program = await comeBack(started, { email_verified: false }, undefined, '*/*')
    const stranger = await comeBack(started, {}, (url) => url.searchParams.set('state', 'x'))
    await api.clock.advance(1000)
    const refused = '/v1/auditEvents?action=REFUSED&sort=id_asc'
    let events: readonly Event[] = []
    for (let round = 0; round < 100 && events.length < 3; round += 1) {
      await api.clock.advance(10)
      events = (await api.get(refused)).json
    }

    assert.deepEqual(
      events.map(({ actor, resource, requestId }) => [actor, resource, requestId]),
      [
        [{ key: null, account: null, person: 'ann@example.com (u1)' }, browser],
        [{ key: null, account: null, person: 'u1' }, program],
        [null, stranger],
      ].map(([actor, answer]) => [
        actor,
        '/v1/sessions/callback',
        (answer as Read).headers['x-request-id'],
      ]),
    )
  })

  it('is in the log with provider, person, reason and request, without code and state', async (t) => {
    const started = await start(t)
    const { issuer, lines } = started
    const codes: string[] = []
    const noteCode = (url: URL): void => {
      codes.push(url.searchParams.get('code') ?? '', url.searchParams.get('state') ?? '')
    }
    const answers = [
      await comeBack(started, {}, noteCode),
      await comeBack(started, { groups: 'ops' }, noteCode),
      await comeBack(started, {}, (url) => {
        noteCode(url)
        url.searchParams.set('error', 'x'.repeat(3000))
      }),
    ]

    const about = (index: number) => ({
      requestId: answers[index]?.headers['x-request-id'],
      issuer: `${issuer.url}/`,
    })
    const known = { failure: 'not-granted', person: 'ann@example.com (u1)' }
    const ghost = 'the account ghost of the grant does not exist or is not active'
    assert.deepEqual(
      lines.map(({ level, event, fields }) => [level, event, fields]),
      [
        { ...about(0), ...known, reason: 'no grant matches' },
        { ...about(1), ...known, reason: ghost },
        {
          ...about(2),
          failure: 'refused-by-provider',
          person: undefined,
          reason: 'x'.repeat(100),
        },
      ].map((fields) => ['warn', 'OpenID sign-in refused', fields]),
    )
    const written = JSON.stringify(lines)
    assert.ok(codes.every((code) => code !== '' && !written.includes(code)))
  })
})

interface Event {
  readonly actor: object | null
  readonly resource: string
  readonly requestId: string
}
