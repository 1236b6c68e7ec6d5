import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { ProcessContext } from '../../src/cli/process-context.ts'
import { run } from '../../src/cli/run.ts'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { answerJson, answerProblem, startServer } from './support/fake-server.ts'
import { fakeSurroundings } from './support/fake-surroundings.ts'

const now = Date.UTC(2026, 0, 1)
const look = { name: 'sqlite', exists: true, freeBytes: 1e12, aheadMs: null }
const accounts = [{ id: 'none' }, { id: 'shop' }]
const usual = {
  NUNCIO_KEY: 'k1',
  NUNCIO_SECRET_KEY: 'kS3vN0yTq1m8Zb5RwXc7Ld2Jf9Gh4Ua6EoPiYtWqVzA=',
}

interface Service {
  readonly carriers?: readonly object[]
  readonly webhooks?: readonly object[]
  readonly state?: 'ready' | 'starting'
  readonly dateMs?: number
  readonly refusal?: number
}

/** Runs the doctor with a service; returns the exit code and the findings. */
async function doctor(
  t: TestContext,
  { carriers = [{ id: 'a', state: 'BOUND' }], webhooks = [], ...service }: Service = {},
  given: Partial<ProcessContext> = {},
) {
  const server = await startServer(t, (response, { path }) => {
    const { state = 'ready', dateMs = now, refusal } = service
    response.setHeader('date', new Date(dateMs).toUTCString())
    const [, , collection] = path.split(/[/?]/)
    if (path === '/health/ready')
      return answerJson(response, state === 'ready' ? 200 : 503, { status: state })
    if (refusal !== undefined) return answerProblem(response, refusal, { title: 'Refused' })
    answerJson(
      response,
      200,
      { accounts, carriers, webhooks: path.includes('account=none') ? [] : webhooks }[
        collection ?? ''
      ] ?? [],
    )
  })
  const surroundings = fakeSurroundings({
    lookAtStore: async () => look,
    environment: usual,
    ...given,
  })
  const code = await run(['doctor', '--service', server.url], surroundings)
  return { code, out: surroundings.out.text(), url: server.url, received: server.received }
}

describe('nuncio doctor', () => {
  it('finds nothing wrong with a service that works', async (t) => {
    const { code, out, url, received } = await doctor(t)

    assert.equal(code, 0)
    assert.deepEqual(out.split('\n'), [
      'OK       settings  There is no configuration file; every setting is right.',
      'OK       store     sqlite can be read and written.',
      `OK       service   ${url} is ready.`,
      "OK       clocks    The service's clock agrees with this machine's.",
      'OK       key       The service accepts it.',
      'OK       carriers  1 active, none is down.',
      'OK       webhooks  None is failing.',
      '',
    ])
    assert.ok(received.every(({ method }) => method === 'GET'))
  })

  it('names carriers and webhooks that fail, each with its reason and the remedy', async (t) => {
    const { code, out } = await doctor(t, {
      carriers: [
        { id: 'acme', state: 'DOWN', stateReason: 'wrong password.' },
        { id: 'slow', state: 'CONNECTING', stateReason: null },
      ],
      webhooks: [
        { id: 'w1', state: 'RETRYING', stateReason: 'status 500', lag: 7 },
        { id: 'w2', state: 'DISABLED', stateReason: 'gone', lag: 1 },
      ],
    })

    assert.equal(code, 1)
    assert.match(
      out,
      /^PROBLEM {2}carriers {2}acme is DOWN: wrong password\. Correct .*nuncio carriers change acme$/m,
    )
    assert.match(out, /^WARNING {2}carriers {2}slow is CONNECTING\./m)
    assert.match(
      out,
      /^PROBLEM {2}webhooks {2}w1 .*shop is RETRYING: .* 7 und.*\/w1\/deliveries list --account shop --sort/m,
    )
    assert.match(
      out,
      /^PROBLEM {2}webhooks {2}w2 of the account shop is DISABLED: gone.* true --key <a key of the account shop>$/m,
    )
  })

  it('names wrong settings, and skips what depends on them', async (t) => {
    const environment = { ...usual, NUNCIO_PORTT: '1' }
    const { code, out } = await doctor(t, {}, { environment })

    assert.equal(code, 1)
    assert.match(
      out,
      /^PROBLEM {2}settings {2}.*NUNCIO_PORTT is unknown\. Did you mean NUNCIO_PORT\? .*serve --help/m,
    )
    assert.match(out, /^SKIPPED {2}store/m)
  })

  for (const [name, lookAtStore, expected] of [
    [
      'cannot be opened',
      async () => {
        throw new StoreUnavailable('it is damaged; restore it')
      },
      /^PROBLEM {2}store {5}The store .* cannot be opened: it is damaged; restore it\. Check NUNCIO_STORE\.$/m,
    ],
    [
      'has no space',
      async () => ({ ...look, freeBytes: 5e6 }),
      /^PROBLEM {2}store .* 4 MiB of free space/m,
    ],
    [
      'has another clock',
      async () => ({ ...look, aheadMs: -2_500 }),
      /^PROBLEM {2}clocks .*2\.5 s behind the database's/m,
    ],
  ] as const) {
    it(`names a store that ${name}`, async (t) => {
      const { code, out } = await doctor(t, {}, { lookAtStore })

      assert.equal(code, 1)
      assert.match(out, expected)
    })
  }

  it('does not fail for a store that the first start will create', async (t) => {
    const { code, out } = await doctor(
      t,
      {},
      { lookAtStore: async () => ({ ...look, exists: false }) },
    )

    assert.equal(code, 0)
    assert.match(out, /^SKIPPED {2}store .*does not exist yet/m)
  })

  it('names a service that is not ready, has another clock, or refuses the key', async (t) => {
    const starting = await doctor(t, { state: 'starting' })
    const late = await doctor(t, { dateMs: now - 60_000 })
    const refused = await doctor(t, { refusal: 401 })
    const narrow = await doctor(t, { refusal: 403 })

    assert.deepEqual([starting.code, late.code, refused.code, narrow.code], [1, 1, 1, 0])
    assert.match(starting.out, /^PROBLEM {2}service .* is not ready: starting\./m)
    assert.match(late.out, /^PROBLEM {2}clocks .*60 s ahead of the service's/m)
    assert.match(refused.out, /^PROBLEM {2}key .*--key or NUNCIO_KEY/m)
    assert.match(refused.out, /^SKIPPED {2}carriers .*\nSKIPPED {2}webhooks /m)
    assert.match(narrow.out, /^WARNING {2}carriers {2}The key may not read carriers\. Use the key/m)
  })

  it('asks the service of the configuration, and names a missing service or key', async (t) => {
    const asked: string[] = []
    const environment = { NUNCIO_PORT: '18999', NUNCIO_HOST: '0.0.0.0' }
    const fetching: typeof fetch = async (input) => {
      asked.push(String(input))
      throw new TypeError('fetch failed', { cause: new Error('nobody') })
    }
    const surroundings = fakeSurroundings({
      environment,
      fetch: fetching,
      lookAtStore: async () => look,
    })

    const code = await run(['doctor', '--json'], surroundings)
    const { out } = await doctor(t, {}, { environment: {} })

    assert.equal(code, 1)
    assert.deepEqual(asked, ['http://127.0.0.1:18999/health/ready'])
    const findings = JSON.parse(surroundings.out.text())
    assert.deepEqual(
      findings.map(({ check, result }: { check: string; result: string }) => `${check} ${result}`),
      [
        'settings OK',
        'settings WARNING',
        'store OK',
        'service PROBLEM',
        'clocks SKIPPED',
        'key SKIPPED',
        'carriers SKIPPED',
        'webhooks SKIPPED',
      ],
    )
    assert.match(findings[3].remedy, /nuncio serve/)
    assert.match(out, /^PROBLEM {2}key .*--key or NUNCIO_KEY\.\nSKIPPED {2}carriers/m)
  })
})
