import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secretFrom, secretKey, verify } from '@nuncio/receiver'
import { requestHeaders } from '../../src/delivery/attempts/attempt.ts'

const now = Date.UTC(2026, 0, 1)
const body = Buffer.from('[{"id":"message_1","body":"grüß dich"}]')
const [newer, older, oldest] = [1, 2, 3].map((seed) => secretFrom(new Uint8Array(32).fill(seed)))

describe('the header fields of a request', () => {
  it('have a signature for each valid secret, that the receiver kit verifies', () => {
    const secrets = [
      { key: secretKey(newer ?? ''), until: null },
      { key: secretKey(older ?? ''), until: now + 1 },
      { key: secretKey(oldest ?? ''), until: now },
    ]

    const headers = requestHeaders({ headers: {}, secrets }, 'batch_1', body, 'Nuncio/1', now)

    const time = { nowMs: now, toleranceSeconds: 300 }
    for (const secret of [newer, older]) {
      const delivery = verify([secretKey(secret ?? '')], headers, body, time)
      assert.deepEqual(delivery, { webhookId: 'batch_1', timestamp: now / 1000 })
    }
    assert.throws(() => verify([secretKey(oldest ?? '')], headers, body, time), /No signature/)
    assert.equal(headers['webhook-signature']?.split(' ').length, 2)
  })

  it('say what is sent by whom, and what the webhook has of its own', () => {
    const own = { 'X-Tenant': '7', Authorization: 'Bearer x' }

    const headers = requestHeaders({ headers: own, secrets: [] }, 'batch_1', body, 'Nuncio/1', now)

    assert.deepEqual(headers, {
      'user-agent': 'Nuncio/1',
      'x-tenant': '7',
      authorization: 'Bearer x',
      'content-type': 'application/json',
      'webhook-id': 'batch_1',
      'webhook-timestamp': '1767225600',
      'webhook-signature': '',
    })
  })

  it('let the webhook name its own user agent, and nothing else of the service', () => {
    const own = { 'User-Agent': 'mine', 'Webhook-Id': 'forged', 'Content-Type': 'text/html' }

    const headers = requestHeaders({ headers: own, secrets: [] }, 'batch_1', body, 'Nuncio/1', now)

    assert.equal(headers['user-agent'], 'mine')
    assert.equal(headers['webhook-id'], 'batch_1')
    assert.equal(headers['content-type'], 'application/json')
  })
})
