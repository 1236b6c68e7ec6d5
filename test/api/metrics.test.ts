import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'
import { startOnSocket } from '../support/app.ts'
import { settle } from '../support/virtual-clock.ts'

/** The values of the series of a metric, by their labels. */
async function seriesOf(api: TestApi, name: string): Promise<Record<string, number>> {
  const { text } = await api.get('/metrics', { key: null })
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return Object.fromEntries(
    lines.map((line) => [
      line.slice(name.length, line.lastIndexOf(' ')),
      Number(line.split(' ').at(-1)),
    ]),
  )
}

const ofSimulator = '{carrier="carrier_simulator"}'

describe('The metrics of messages', () => {
  it('count each status of a carrier from zero, and measure the time between', async (t) => {
    const api = await startApi(t)
    await settle()
    const before = await seriesOf(api, 'nuncio_messages_total')

    await api.post('/v1/messages', { to: '+4915112345678', body: 'x'.repeat(161) })
    await settle(20)
    await api.clock.advance(1000)
    const after = await seriesOf(api, 'nuncio_messages_total')

    const [accepted, sent, delivered] = ['ACCEPTED', 'SENT', 'DELIVERED'].map(
      (status) => `{carrier="carrier_simulator",status="${status}"}`,
    )
    for (const [labels, value] of Object.entries(before)) assert.equal(value, 0, labels)
    for (const labels of [accepted, sent, delivered]) assert.equal(after[labels ?? ''], 1)
    const parts = await seriesOf(api, 'nuncio_message_parts_total')
    assert.equal(parts[ofSimulator], 2)
    const receipts = 'nuncio_message_receipt_duration_seconds'
    assert.equal((await seriesOf(api, `${receipts}_count`))[ofSimulator], 1)
    assert.ok(((await seriesOf(api, `${receipts}_sum`))[ofSimulator] ?? 0) >= 0.2)
    assert.equal((await seriesOf(api, 'nuncio_submissions_due'))[ofSimulator], 0)
  })

  it('do not count a message that was refused, or tried without effect', async (t) => {
    const api = await startApi(t)

    await api.post('/v1/messages', { to: '+4915112345678' })
    const dry = { headers: { prefer: 'handling=dry-run' } }
    await api.post('/v1/messages', { to: '+4915112345678', body: 'hello' }, dry)

    const counted = Object.values(await seriesOf(api, 'nuncio_messages_total'))
    assert.equal(Math.max(...counted), 0)
  })
})

describe('A separate address for metrics', () => {
  it('has metrics and health alone, and the main address has no metrics', async (t) => {
    const { app, baseUrl } = await startOnSocket(t, {
      metricsAddress: { host: '127.0.0.1', port: 0 },
    })
    const statuses = async (base: string) => {
      const paths = ['/metrics', '/health/ready', '/v1']
      const responses = await Promise.all(paths.map((path) => fetch(`${base}${path}`)))
      return responses.map(({ status }) => status)
    }

    assert.deepEqual(await statuses(baseUrl), [404, 200, 200])
    assert.deepEqual(await statuses(app.metricsUrl ?? ''), [200, 200, 404])
    const posted = await fetch(`${app.metricsUrl}/metrics`, { method: 'POST' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  })
})
