import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { metrics } from '../../src/core/ports/metrics.ts'
import { StoreUnavailable } from '../../src/core/ports/store.ts'
import { measureWebhooks } from '../../src/delivery/workers/webhook-metrics.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { startWith, type ApiWithReceiver } from './support/start-with.ts'
import { messageNames, World } from './support/world.ts'

describe('the metrics of webhooks', () => {
  it('say by state how many there are, how far behind, and since when', async (t) => {
    const api = await startWith(t, ({ url }) => (url.hostname === 'down.test' ? 503 : 204))
    await api.put('/v1/webhooks/up', { url: 'https://up.test/' })
    await api.put('/v1/webhooks/down', { url: 'https://down.test/' })
    await api.put('/v1/webhooks/off', { url: 'https://off.test/', active: false })
    await api.notify('m1', 'm2')
    await api.clock.advance(3000)

    const lines = await linesOf(api, /^nuncio_webhook/)

    assert.deepEqual(lines, [
      'nuncio_webhooks{state="ACTIVE"} 1',
      'nuncio_webhooks{state="RETRYING"} 1',
      'nuncio_webhooks{state="DISABLED"} 1',
      'nuncio_webhook_lag_records{state="ACTIVE"} 0',
      'nuncio_webhook_lag_records{state="RETRYING"} 2',
      'nuncio_webhook_lag_records{state="DISABLED"} 2',
      'nuncio_webhook_oldest_undelivered_seconds{state="ACTIVE"} 0',
      'nuncio_webhook_oldest_undelivered_seconds{state="RETRYING"} 3',
      'nuncio_webhook_oldest_undelivered_seconds{state="DISABLED"} 3',
    ])
  })

  it('look anew after ten seconds, and not before', async (t) => {
    const api = await startWith(t)
    const count = async () => (await linesOf(api, /^nuncio_webhooks{state="ACTIVE"}/))[0]?.at(-1)

    const first = await count()
    await api.put('/v1/webhooks/w', { url: 'https://w.test/' })
    await api.clock.advance(9000)
    const before = await count()
    await api.clock.advance(1000)
    const after = await count()

    assert.deepEqual([first, before, after], ['0', '0', '1'])
  })

  it('count attempts and their durations by outcome and state', async (t) => {
    let status = 503
    const api = await startWith(t, () => status)
    await api.put('/v1/webhooks/w', { url: 'https://w.test/' })
    await api.notify('m1')
    status = 204
    await api.clock.advance(10_000)

    const lines = await linesOf(api, /^nuncio_delivery_attempts_total/)
    const attempts = lines.filter((line) => !line.endsWith(' 0'))
    const durations = await linesOf(api, /^nuncio_delivery_duration_seconds_count/)

    // Every outcome exists from zero, for both states.
    assert.equal(lines.length, 12)
    assert.deepEqual(attempts, [
      'nuncio_delivery_attempts_total{outcome="REFUSED",state="ACTIVE"} 1',
      'nuncio_delivery_attempts_total{outcome="ACCEPTED",state="RETRYING"} 1',
    ])
    assert.equal(durations.length, 2)
  })

  it('take in many webhooks with pauses between', async (t) => {
    const world = new World(t)
    for (const name of messageNames(250, 'w')) await world.addWebhook(name)
    const registry = metrics()
    await using _ = measureWebhooks(registry, { ...world, onFault: fail })

    const asked = registry.text()
    await world.clock.advance(1000)

    assert.match(await asked, /^nuncio_webhooks{state="ACTIVE"} 250$/m)
  })

  it('are answered without these while the store cannot be read', async (t) => {
    const world = new World(t)
    const faults: unknown[] = []
    const store = {
      ...world.store,
      read: () => Promise.reject(new StoreUnavailable('the disk is gone')),
    }
    const registry = metrics()
    const onFault = (error: unknown): void => void faults.push(error)
    await using _ = measureWebhooks(registry, { store, clock: virtualClock(), onFault })

    const text = await registry.text()

    assert.match(text, /^# TYPE nuncio_webhooks gauge$/m)
    assert.doesNotMatch(text, /^nuncio_webhooks/m)
    assert.equal(faults.length, 1)
  })
})

/** The lines of the metrics that a pattern finds. */
async function linesOf(api: ApiWithReceiver, pattern: RegExp): Promise<readonly string[]> {
  const { text } = await api.get('/metrics', { key: null })
  return text.split('\n').filter((line) => pattern.test(line))
}

function fail(error: unknown): never {
  throw error
}
