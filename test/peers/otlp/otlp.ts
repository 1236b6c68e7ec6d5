import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { systemClock } from '../../../src/core/ports/clock.ts'
import {
  installation,
  MissingPackages,
  openTelemetry,
} from '../../../src/wiring/telemetry/open-telemetry.ts'
import { receiverServer } from '../../delivery/support/receiver-server.ts'
import { startOnSocket } from '../../support/app.ts'
import { hex, installPackages, startCollector } from './receiver.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const parent = 'b7ad6b7169203331'

describe('An OTLP endpoint', () => {
  it('stops the start with the command that installs the packages, if they are missing', async () => {
    const opening = openTelemetry('http://127.0.0.1:1', systemClock)

    await assert.rejects(opening, (error) => {
      assert.ok(error instanceof MissingPackages)
      assert.match(
        error.message,
        /npm install --save-prod @opentelemetry\/api@1\.10\.0 @opentelemetry/,
      )
      return true
    })
  })

  it('has a command that installs them in a checkout, too', () => {
    const [npm = '', ...args] = installation
    const { stdout, stderr } = spawnSync(npm, [...args, '--dry-run', '--prefer-offline'], {
      cwd: join(import.meta.dirname, '../../..'),
      encoding: 'utf8',
    })

    assert.match(stdout, /^add @opentelemetry\/exporter-trace-otlp-proto /m, stderr)
  })

  it('receives the spans of a message from its request to its webhook, and the metrics', async (t) => {
    installPackages()
    await using collector = await startCollector()
    const received = Promise.withResolvers<string>()
    await using receiver = await receiverServer((response, { headers }) => {
      received.resolve(String(headers['traceparent']))
      response.writeHead(204).end()
    })
    const { app, baseUrl, key } = await startOnSocket(t, {
      otlpEndpoint: collector.endpoint,
      webhookNetworks: ['127.0.0.0/8'],
    })
    const send = (path: string, body: object, headers = {}): Promise<Response> =>
      fetch(`${baseUrl}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      })

    await send('/v1/webhooks', { url: `${receiver.origin}/` })
    const traceparent = `00-${trace}-${parent}-01`
    await send('/v1/messages', { to: '+4915112345678', body: 'hello' }, { traceparent })
    const atWebhook = await received.promise
    await app.stop()

    const own = collector.spans.filter((span) => hex(span.traceId) === trace)
    const [post, submit, deliver] = ['POST', 'submit message', 'deliver notifications'].map(
      (name) => own.find((span) => span.name === name),
    )
    assert.deepEqual(own.map(({ name }) => name).toSorted(), [
      'POST',
      'deliver notifications',
      'message DELIVERED',
      'message SENT',
      'submit message',
    ])
    assert.equal(hex(post.parentSpanId), parent)
    for (const span of own) {
      if (span !== post) assert.equal(span.parentSpanId, post.spanId, span.name)
    }
    assert.equal(submit.status?.code ?? 'STATUS_CODE_UNSET', 'STATUS_CODE_UNSET')
    assert.equal(atWebhook, `00-${trace}-${hex(deliver.spanId)}-01`)

    const counted = collector.metrics.find(({ name }) => name === 'nuncio_messages_total')
    const delivered = counted.sum.dataPoints.find((point: { attributes: object[] }) =>
      JSON.stringify(point.attributes).includes('DELIVERED'),
    )
    assert.equal(delivered.asDouble ?? Number(delivered.asInt), 1)
    assert.equal(counted.sum.isMonotonic, true)
    const requests = collector.metrics.find(
      ({ name }) => name === 'http_server_request_duration_seconds',
    )
    assert.equal(requests.unit, 's')
    assert.ok(requests.histogram.dataPoints.length > 0)
  })
})
