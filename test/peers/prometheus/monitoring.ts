import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { startOnSocket } from '../../support/app.ts'
import { fetchPrometheus, promtool } from './promtool.ts'

const prometheus = await fetchPrometheus()

/** Returns Prometheus; null, said aloud, where it cannot be had. */
function available(t: TestContext) {
  if ('server' in prometheus) return prometheus
  t.skip(prometheus.lacking)
  return null
}

describe('The metrics, as Prometheus reads them', () => {
  it('are what its checks ask for', async (t) => {
    const found = available(t)
    if (found === null) return
    const { baseUrl, key } = await startOnSocket(t)
    await fetch(`${baseUrl}/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '+4915112345678', body: 'hello' }),
    })
    const response = await fetch(`${baseUrl}/metrics`)

    const checked = promtool(found.tool, ['check', 'metrics'], await response.text())

    assert.deepEqual(checked, { status: 0, printed: '' })
  })
})
