import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'
import { isolationOffer } from './support/offer.ts'
import { bodyOf, collections, parentOf, pathOf } from './support/world.ts'
import type { Compiled } from '../../src/engine/compiled.ts'

/** A request on a route, and what it takes. */
interface Asked {
  readonly method: string
  readonly target: string
  readonly access: 'read' | 'write'
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
  /** The collection at the root of the path, or the view. */
  readonly root: string
  readonly administratorsOnly: boolean
  readonly changedByAdministrators: boolean
  /** Instances of another collection are shown, which asks for a scope of its own. */
  readonly shows: string | null
}

const override = { headers: { 'x-http-method-override': 'GET' } }

/** Every route there is, on instances that never were: whoever gets past the scope finds nothing. */
const routes: readonly Asked[] = [
  ...collections.flatMap(routesOf),
  {
    method: 'GET',
    target: '/v1/notifications',
    access: 'read',
    root: 'notifications',
    administratorsOnly: false,
    changedByAdministrators: false,
    shows: null,
  },
]

function routesOf(compiled: Compiled): readonly Asked[] {
  const { declared, members } = compiled
  const { collection, instance } = declared.methods
  const path = pathOf(compiled, 'never')
  const root = parentOf(compiled)?.declared ?? declared
  const { name, administratorsOnly, changedByAdministrators } = root
  const known = {
    root: name,
    administratorsOnly,
    changedByAdministrators,
    // What an account is shown of its own asks for no other scope than the view's.
    shows: declared.parent === null ? null : (members?.name ?? null),
  }
  const body = bodyOf(compiled, 'never')
  const lists = collection.includes('GET')
  return [
    ...(lists ? [{ ...known, method: 'GET', target: path, access: 'read' } as const] : []),
    ...(lists ? [{ ...known, method: 'HEAD', target: path, access: 'read' } as const] : []),
    ...(lists
      ? [{ ...known, method: 'QUERY', target: path, access: 'read', body: {} } as const]
      : []),
    ...(lists
      ? [{ ...known, method: 'POST', target: path, access: 'read', body: {}, ...override } as const]
      : []),
    ...(collection.includes('POST')
      ? [{ ...known, method: 'POST', target: path, access: 'write', body } as const]
      : []),
    ...instance.map((method): Asked => {
      const access = method === 'GET' ? 'read' : 'write'
      const needsBody = method === 'PUT' || method === 'PATCH'
      return { ...known, method, target: `${path}/never`, access, ...(needsBody && { body }) }
    }),
  ]
}

const names = [...new Set(routes.map(({ root }) => root))]

const scopes = [
  ...names.map((name) => `${name}:read`),
  // The view is only read, so that no key can be given to write it.
  ...names.filter((name) => name !== 'notifications').map((name) => `${name}:write`),
  '*:read',
  '*:write',
  '*',
  'admin',
]

/** What the interface says of scopes: section 5. */
function isAllowed(scope: string, asked: Asked): boolean {
  const { root, access, administratorsOnly, changedByAdministrators, shows } = asked
  if (scope === 'admin' || isSignIn(asked)) return true
  if (administratorsOnly || (changedByAdministrators && access === 'write')) return false
  const isSingle = scope.includes(':') && !scope.startsWith('*')
  if (shows !== null && isSingle) return false
  return scope === '*' || scope === `*:${access}` || scope === `${root}:${access}`
}

/** Every key may sign in. */
function isSignIn({ root, method, access }: Asked): boolean {
  return root === 'sessions' && method === 'POST' && access === 'write'
}

describe('A key', () => {
  for (const scope of scopes) {
    it(`with the scope ${scope} is let in where that scope is asked for, and nowhere else`, async (t) => {
      const api = await startApi(t, { offer: isolationOffer })
      const key = await api.newAccount('ours', [scope])

      for (const route of routes) {
        const { method, target, headers } = route
        // No key gives more than it has.
        const body = route.root === 'keys' && route.body ? { scopes: [scope] } : route.body
        const answer = await api.request(method, target, body, { key, ...(headers && { headers }) })
        const what = `${method} ${target} answered ${answer.status} ${answer.text}`
        // What is shown of members may be forbidden after their parent was looked for.
        const expected = isAllowed(scope, route)
        if (route.shows !== null && !expected) assert.ok([403, 404].includes(answer.status), what)
        else assert.equal(answer.status !== 403, expected, what)
        assert.ok(answer.status !== 401 && answer.status < 500, what)
      }
    })
  }

  it('without the scope is told the same, whether there is anything or not', async (t) => {
    const api = await startApi(t, { offer: isolationOffer })
    const all = await api.newAccount('ours')
    const { json } = await api.post('/v1/keys', { scopes: ['groups:read'] }, { key: all })
    await api.put('/v1/contacts/ada', { address: '12345' }, { key: all })

    for (const [method, body] of [['GET'], ['PUT', {}], ['PATCH', {}], ['DELETE']] as const) {
      const extras = { key: json.secret }
      const found = await api.request(method, '/v1/contacts/ada', body, extras)
      const never = await api.request(method, '/v1/contacts/never', body, extras)
      assert.deepEqual([found.status, found.json.detail], [403, never.json.detail])
    }
  })

  it('is of a collection at the root that there is', async (t) => {
    const api = await startApi(t, { offer: isolationOffer })

    for (const scope of ['nothing:read', 'deliveries:write', 'messages', 'Messages:read']) {
      const { status, json } = await api.post('/v1/keys', { scopes: [scope] })
      assert.deepEqual([status, json.errors.length], [400, 1], scope)
    }
  })
})
