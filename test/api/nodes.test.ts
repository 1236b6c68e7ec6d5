import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Config } from '../../src/config/config.ts'
import { builtIn } from '../../src/collections/built-in.ts'
import { postgresStore } from '../../src/stores/postgres/postgres-store.ts'
import { startApi, type Extras, type TestApi } from '../support/api.ts'
import { noPostgres } from '../support/postgres/database.ts'
import { openPostgres } from '../support/postgres/open-store.ts'

const adminKey = 'nuncio_for_the_test_of_what_holds_on_every_node'
const message = { to: '+4915112345678', body: 'hello' }

/** Two nodes over one store, each with a configuration of its own. */
async function startNodes(t: TestContext, ...configs: readonly Partial<Config>[]) {
  const first = await openPostgres(builtIn)
  const nodes: TestApi[] = []
  for (const [index, config] of configs.entries()) {
    const store = index === 0 ? first : await postgresStore(first.url, builtIn)
    nodes.push(await startApi(t, { store, config: { adminKey, ...config } }))
  }
  const ask = (node: number, ...[method, path, body, extras]: Parameters<TestApi['request']>) =>
    nodes[node]?.request(method, path, body, { key: adminKey, ...extras }) ??
    Promise.reject(new Error('there is no such node'))
  /** Lets the nodes hear of each other. */
  const meet = async () => {
    for (const { clock } of nodes) await clock.advance(2100)
    await new Promise((resolve) => setTimeout(resolve, 300))
  }
  return { ask, meet }
}

describe('over two nodes', { skip: await noPostgres() }, () => {
  it('a request under an idempotency key is done once, wherever it comes again', async (t) => {
    const { ask } = await startNodes(t, {}, {})
    const headers: Extras = { headers: { 'idempotency-key': 'once' } }

    const answers = await Promise.all(
      [0, 1, 0, 1].map((node) => ask(node, 'POST', '/v1/messages', message, headers)),
    )

    const listed = await ask(0, 'GET', '/v1/messages')
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]))
    assert.equal(new Set(answers.map(({ json }) => json.id)).size, 1)
    assert.equal(listed.json.length, 1)
  })

  it('a key that is revoked on one stops at once on the other', async (t) => {
    const { ask } = await startNodes(t, {}, {})
    const { json } = await ask(0, 'POST', '/v1/keys', { scopes: ['*'] })
    const before = await ask(1, 'GET', '/v1/messages', undefined, { key: json.secret })

    await ask(0, 'DELETE', `/v1/keys/${json.id}`)
    const after = await ask(1, 'GET', '/v1/messages', undefined, { key: json.secret })

    assert.deepEqual([before.status, after.status], [200, 401])
  })

  it('a maintenance window holds on both, within two seconds', async (t) => {
    const { ask, meet } = await startNodes(t, {}, {})

    await ask(0, 'POST', '/v1/maintenanceWindows', { reason: 'a test' })
    await meet()
    const { status } = await ask(1, 'POST', '/v1/messages', message)

    assert.equal(status, 503)
  })

  it('a key makes no more requests together than it may make', async (t) => {
    const limited = { rateLimit: 1, rateLimitBurst: 10 }
    const { ask, meet } = await startNodes(t, limited, limited)
    await meet()

    const answers = []
    for (let at = 0; at < 30; at += 1) answers.push(await ask(at % 2, 'GET', '/v1/contacts'))

    assert.equal(answers.filter(({ status }) => status === 200).length, 10)
  })

  it('a page goes on where the other began it', async (t) => {
    const { ask } = await startNodes(t, {}, {})
    for (const id of ['a', 'b', 'c']) {
      await ask(0, 'PUT', `/v1/contacts/${id}`, { address: '+4915112345678' })
    }

    const first = await ask(0, 'GET', '/v1/contacts?pageSize=2')
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')?.[1] ?? ''
    const second = await ask(1, 'GET', next)

    assert.deepEqual(
      [...first.json, ...second.json].map(({ id }) => id),
      ['a', 'b', 'c'],
    )
  })

  it('one without the role api answers for its health alone', async (t) => {
    const { ask } = await startNodes(t, {}, { roles: ['submit', 'deliver'] })

    const health = await ask(1, 'GET', '/health/ready')
    const other = await ask(1, 'GET', '/v1/messages')

    assert.equal(health.status, 200)
    assert.equal(other.status, 503)
    assert.equal(other.headers['retry-after'], '1')
  })
})
