import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import { Provider } from 'oidc-provider'
import { startOnSocket } from '../../support/app.ts'

/** A browser: it keeps cookies by origin, and shows each response before it follows. */
function browser() {
  const jars = new Map<string, Map<string, string>>()
  return {
    async send(target: string, form?: Readonly<Record<string, string>>): Promise<Response> {
      const url = new URL(target)
      const jar = jars.get(url.origin) ?? new Map<string, string>()
      jars.set(url.origin, jar)
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const response = await fetch(url, {
        redirect: 'manual',
        headers: { cookie, accept: 'text/html, */*;q=0.8' },
        ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
      })
      for (const each of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? []
        if (value === '') jar.delete(name)
        else jar.set(name, value)
      }
      return response
    },
    /** Follows redirects until a page comes, or one leads to this address. */
    async follow(target: string, end: string): Promise<{ url: string; page: string }> {
      let url = target
      for (let hops = 0; hops < 20; hops += 1) {
        const response = await this.send(url)
        const location = response.headers.get('location')
        if (location === null) return { url, page: await response.text() }
        url = new URL(location, url).href
        if (url.startsWith(end)) return { url, page: '' }
      }
      return assert.fail('too many redirects')
    },
  }
}

const client = { clientId: 'nuncio', clientSecret: 'a secret & more: 100 %' }

/** Starts the provider on loopback for a service at this address. */
async function startProvider(t: TestContext, service: string): Promise<string> {
  let callback: RequestListener = () => {}
  const server = createServer((request, response) => void callback(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [`${service}/v1/sessions/callback`],
      },
    ],
    pkce: { required: () => true },
    cookies: { keys: ['key of a test'] },
    scopes: ['openid', 'email', 'groups'],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
    conformIdTokenClaims: false,
    findAccount: (_, sub) => ({
      accountId: sub,
      claims: () => ({
        sub,
        email: `${sub}@example.com`,
        email_verified: true,
        groups: sub === 'ann' ? ['staff', 'ops'] : ['staff'],
      }),
    }),
  })
  callback = provider.callback()
  return issuer
}

/** Signs a person in with the forms of the provider, up to the return to the service. */
async function signIn(own: ReturnType<typeof browser>, service: string, login: string) {
  let { url, page } = await own.follow(`${service}/v1/sessions/authorization`, `${service}/v1`)
  for (let steps = 0; steps < 4 && page !== ''; steps += 1) {
    const action = /action="([^"]+)"/.exec(page)?.[1] ?? assert.fail(page)
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? assert.fail(page)
    const response = await own.send(new URL(action, url).href, { prompt, login, password: 'x' })
    const next = new URL(response.headers.get('location') ?? '', url).href
    ;({ url, page } = await own.follow(next, `${service}/v1/sessions/callback`))
  }
  return url
}

async function start(t: TestContext) {
  const port = await freePort()
  const service = `http://127.0.0.1:${port}`
  const issuer = await startProvider(t, service)
  const { key } = await startOnSocket(t, {
    port,
    oidc: {
      issuer: new URL(issuer),
      ...client,
      url: new URL(service),
      scope: 'openid email groups',
      grants: [
        { claim: 'groups', value: 'ops', account: 'account_default', scopes: ['messages:read'] },
      ],
    },
  })
  return { service, key }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

describe('oidc-provider', () => {
  it('signs a person in, who has the rights of a group, by name', async (t) => {
    const { service, key } = await start(t)
    const own = browser()

    const back = await own.send(await signIn(own, service, 'ann'))
    const session = await own.send(`${service}/v1/sessions/current`)
    const messages = await own.send(`${service}/v1/messages`)
    const contacts = await own.send(`${service}/v1/contacts`)

    assert.equal(back.status, 303, await back.text())
    assert.equal(back.headers.get('location'), '/console#signed-in')
    const { person, scopes } = (await session.json()) as { person: string; scopes: string[] }
    assert.deepEqual([person, scopes], ['ann@example.com (ann)', ['messages:read']])
    assert.deepEqual([messages.status, contacts.status], [200, 403])
    const audit = await fetch(`${service}/v1/auditEvents?action=SIGNED_IN`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const [event] = (await audit.json()) as [{ actor: { person: string } }]
    assert.equal(event.actor.person, person)
  })

  it('signs nobody in without a grant, or with a code that was used', async (t) => {
    const { service } = await start(t)
    const [ann, bob] = [browser(), browser()]

    const granted = await signIn(ann, service, 'ann')
    const first = await ann.send(granted)
    const second = await ann.send(granted)
    const other = await bob.send(await signIn(bob, service, 'bob'))

    assert.deepEqual(
      [first, second, other].map((each) => each.headers.get('location')?.split('&')[0]),
      ['/console#signed-in', '/console#refused=invalid', '/console#refused=not-granted'],
    )
  })
})
