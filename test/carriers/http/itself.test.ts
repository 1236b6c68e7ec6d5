import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startOnSocket } from '../../support/app.ts'

describe('A carrier over HTTP', () => {
  it('cannot lead to the service itself', async (t) => {
    const { baseUrl, key } = await startOnSocket(t, { carrierNetworks: ['127.0.0.0/8'] })
    const carrier = { type: 'HTTP', settings: { request: { url: `${baseUrl}/v1`, json: {} } } }

    const answer = await fetch(`${baseUrl}/v1/carriers/loop`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(carrier),
    })

    assert.equal(answer.status, 400)
    assert.match(await answer.text(), /must not lead to this service itself/)
  })
})
