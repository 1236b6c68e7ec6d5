import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { receiverServer } from '../../delivery/support/receiver-server.ts'
import { loadConfig } from '../../../src/config/load-config.ts'
import type { Config } from '../../../src/config/config.ts'
import { startOnSocket } from '../../support/app.ts'
import { noPostgres, testDatabase } from '../../support/postgres/database.ts'
import { fetchPrometheus, promtool } from './promtool.ts'
import { startPrometheus } from './server.ts'

const prometheus = await fetchPrometheus()
const lackingPostgres = await noPostgres()
const monitoring = join(import.meta.dirname, '../../../deploy/monitoring')

/** Returns Prometheus; null, said aloud, where it cannot be had. */
function available(t: TestContext) {
  if ('server' in prometheus) return prometheus
  t.skip(prometheus.lacking)
  return null
}

/** Sends messages, of which some fail, to a webhook that refuses one request. */
async function startWithTraffic(t: TestContext, config: Partial<Config> = {}) {
  let requests = 0
  const receiver = await receiverServer((response) => {
    requests += 1
    response.writeHead(requests === 1 ? 500 : 204).end()
  })
  t.after(() => receiver[Symbol.asyncDispose]())
  const service = await startOnSocket(t, {
    webhookNetworks: ['127.0.0.0/8'],
    retrySchedule: [1],
    ...config,
  })
  const send = (path: string, body: object): Promise<Response> =>
    fetch(`${service.baseUrl}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await send('/v1/webhooks', { url: `${receiver.origin}/` })
  const traffic = async (): Promise<void> => {
    for (const to of ['+4915112345678', '+10000000001']) {
      await send('/v1/messages', { to, body: 'hello' })
    }
    await fetch(`${service.baseUrl}/v1/messages?body_like=*a*`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
  }
  return { ...service, traffic }
}

describe('The metrics, as Prometheus reads them', () => {
  it('are what its checks ask for', async (t) => {
    const found = available(t)
    if (found === null) return
    const { baseUrl, traffic } = await startWithTraffic(t)
    await traffic()
    const response = await fetch(`${baseUrl}/metrics`)

    const checked = promtool(found.tool, ['check', 'metrics'], await response.text())

    assert.deepEqual(checked, { status: 0, printed: '' })
  })
})

describe('The alerts', () => {
  it('fire on the series that they are for, and on no others', (t) => {
    const found = available(t)
    if (found === null) return
    const tests = join(import.meta.dirname, 'alerts.test.yaml')

    const { status, printed } = promtool(found.tool, ['test', 'rules', tests])

    assert.equal(status, 0, printed)
  })

  it('have a test each', () => {
    const names = (file: string, before: string): readonly string[] =>
      [...readFileSync(file, 'utf8').matchAll(new RegExp(`${before}(Nuncio\\w+)$`, 'gm'))].map(
        ([, name = '']) => name,
      )

    const tested = names(join(import.meta.dirname, 'alerts.test.yaml'), 'name: ')
    assert.deepEqual(tested, names(join(monitoring, 'alerts.yaml'), 'alert: '))
  })
})

/** A panel of the dashboard with its query. */
interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

/** Only PostgreSQL has connections. */
const ofPostgres = ['Connections of the pools in use']

describe('The dashboard', () => {
  it('has a value in each panel', async (t) => {
    const found = available(t)
    if (found === null) return
    const queries = panelQueries()

    const { empty, rules } = await emptyPanels(
      t,
      found.server,
      {},
      (title) => !ofPostgres.includes(title),
    )

    assert.ok(queries.length > 25)
    assert.deepEqual(empty, [])
    assert.equal(rules, 17)
  })

  it('has a value in the panels of PostgreSQL', { skip: lackingPostgres }, async (t) => {
    const found = available(t)
    if (found === null) return
    const database = await testDatabase()
    t.after(() => database[Symbol.asyncDispose]())
    const loaded = await loadConfig({
      flags: { store: database.url },
      environment: {},
      cwd: import.meta.dirname,
    })
    assert.ok(loaded.ok)
    const { store } = loaded.config

    const { empty } = await emptyPanels(t, found.server, { store }, (title) =>
      ofPostgres.includes(title),
    )

    assert.deepEqual(empty, [])
  })
})

function panelQueries() {
  const { panels } = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8')) as {
    readonly panels: readonly Panel[]
  }
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ title, expr: expr.replaceAll('$__rate_interval', '30s') })),
  )
}

/** Returns the panels without a value after a minute of traffic, among those wanted. */
async function emptyPanels(
  t: TestContext,
  program: string,
  config: Partial<Config>,
  isWanted: (title: string) => boolean,
) {
  const { baseUrl, traffic } = await startWithTraffic(t, config)
  await using server = await startPrometheus(program, baseUrl, join(monitoring, 'alerts.yaml'))
  const queries = panelQueries()
  const wanted = new Set(queries.map(({ title }) => title).filter(isWanted))
  for (let tries = 0; wanted.size > 0 && tries < 60; tries += 1) {
    await traffic()
    await server.scraped()
    for (const { title, expr } of queries) {
      const values = await server.query(expr)
      if (values.some((value) => Number.isFinite(value))) wanted.delete(title)
    }
  }
  return { empty: [...wanted], rules: await server.rules() }
}
