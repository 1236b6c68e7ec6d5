import assert from 'node:assert/strict'
import { createPublicKey, verify as verifyEd25519 } from 'node:crypto'
import { describe, it } from 'node:test'
import { privateKey, secretFrom, secretKey, verify, verifyingKey } from '@nuncio/receiver'
import { known } from '../../packages/receiver/test/support/known.ts'
import type { PostRequest } from '../../src/delivery/egress/post.ts'
import { requestHeaders } from '../../src/delivery/attempts/attempt.ts'
import { startWith } from './support/start-with.ts'

const url = 'https://receiver.test/hook'
const secret = secretFrom(Uint8Array.from({ length: 32 }, (_, at) => at + 1))
const dayMs = 24 * 3_600_000

describe('the signatures of a webhook', () => {
  it('are v1 where nothing is chosen', async (t) => {
    const api = await startWith(t)

    const made = await api.put('/v1/webhooks/w', { url, secret })
    await api.notify('m1')

    assert.deepEqual([made.json.signatures, made.json.publicKey], [['v1'], null])
    assert.deepEqual(schemes(api.sent[0]), ['v1'])
  })

  it('are v1a by a key pair of which the public half is shown', async (t) => {
    const api = await startWith(t)

    const made = await api.put('/v1/webhooks/w', { url, signatures: ['v1a'] })
    await api.notify('m1')

    const read = await api.get('/v1/webhooks/w')
    assert.equal(read.json.publicKey, made.json.publicKey)
    assert.doesNotMatch(read.text, /whsk_|keyPairs/)
    assert.deepEqual(schemes(api.sent[0]), ['v1a'])
    assert.ok(isSignedBy(made.json.publicKey, api.sent[0]))
    assert.ok(isSignedByHand(made.json.publicKey, api.sent[0]))
  })

  it('are both where both are chosen', async (t) => {
    const api = await startWith(t)

    const made = await api.put('/v1/webhooks/w', { url, secret, signatures: ['v1', 'v1a'] })
    await api.notify('m1')

    assert.deepEqual(schemes(api.sent[0]), ['v1', 'v1a'])
    assert.ok(isSignedBy(secret, api.sent[0]))
    assert.ok(isSignedBy(made.json.publicKey, api.sent[0]))
  })

  it('stay as they are where what was read is put back, or put without the key', async (t) => {
    const api = await startWith(t)
    const made = await api.put('/v1/webhooks/w', { url, secret, signatures: ['v1a'] })
    const read = await api.get('/v1/webhooks/w')

    const back = await api.put('/v1/webhooks/w', read.json)
    const bare = await api.put('/v1/webhooks/w', { url, signatures: ['v1a'], publicKey: null })

    for (const { json, headers } of [back, bare]) {
      assert.equal(json.publicKey, made.json.publicKey)
      assert.equal(headers['etag'], read.headers['etag'])
    }
  })

  it('take no public key that the service did not make', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, signatures: ['v1a'] })

    const changed = await api.patch('/v1/webhooks/w', { publicKey: known.publicKey })
    const made = await api.post('/v1/webhooks', { url, publicKey: known.publicKey })

    for (const { status, json } of [changed, made]) {
      assert.equal(status, 400)
      assert.equal(json.errors[0].pointer, '/publicKey')
    }
  })

  it('take none but v1 and v1a, and at least one', async (t) => {
    const api = await startWith(t)

    const unknown = await api.post('/v1/webhooks', { url, signatures: ['v2'] })
    const none = await api.post('/v1/webhooks', { url, signatures: [] })

    assert.deepEqual([unknown.status, none.status], [400, 400])
  })

  it('are made with a new key pair and the one before for 24 hours after a PATCH with null', async (t) => {
    const api = await startWith(t)
    const made = await api.put('/v1/webhooks/w', { url, signatures: ['v1a'] })

    const replaced = await api.patch('/v1/webhooks/w', { publicKey: null })
    await api.notify('m1')
    api.clock.jump(dayMs)
    await api.notify('m2')

    const [before, after] = [made.json.publicKey, replaced.json.publicKey]
    assert.notEqual(after, before)
    assert.deepEqual(schemes(api.sent[0]), ['v1a', 'v1a'])
    assert.deepEqual(
      api.sent.map((request) => [isSignedBy(before, request), isSignedBy(after, request)]),
      [
        [true, true],
        [false, true],
      ],
    )
  })

  it('have the same key pair when v1a is chosen again', async (t) => {
    const api = await startWith(t)
    const made = await api.put('/v1/webhooks/w', { url, signatures: ['v1a'] })

    const without = await api.patch('/v1/webhooks/w', { signatures: ['v1'] })
    const again = await api.patch('/v1/webhooks/w', { signatures: ['v1a'] })

    assert.equal(without.json.publicKey, null)
    assert.equal(again.json.publicKey, made.json.publicKey)
  })

  it('are the known ones of Standard Webhooks', () => {
    const { id, timestamp, body } = known.content
    const secrets = [secretKey(known.secret), privateKey(known.privateKey)].map((key) => ({
      key,
      until: null,
    }))

    const headers = requestHeaders(
      { headers: {}, secrets },
      id,
      Buffer.from(body),
      'Nuncio/test',
      timestamp * 1000,
    )

    assert.equal(headers['webhook-signature'], `${known.v1} ${known.v1a}`)
  })
})

function schemes(request: PostRequest | undefined): readonly string[] {
  const signatures = request?.headers['webhook-signature']?.split(' ') ?? []
  return signatures.map((signature) => signature.split(',')[0] ?? '')
}

function isSignedBy(key: string, request: PostRequest | undefined): boolean {
  if (request === undefined) return false
  const { headers, body } = request
  const nowMs = Number(headers['webhook-timestamp']) * 1000
  try {
    verify([verifyingKey(key)], headers, body, { nowMs, toleranceSeconds: 0 })
    return true
  } catch {
    return false
  }
}

/** As the standard says it, with nothing of the kit. */
function isSignedByHand(key: string, request: PostRequest | undefined): boolean {
  const x = Buffer.from(key.replace('whpk_', ''), 'base64').toString('base64url')
  const material = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  const { 'webhook-id': id, 'webhook-timestamp': at } = request?.headers ?? {}
  const signed = `${id}.${at}.${Buffer.from(request?.body ?? []).toString()}`
  const signature = request?.headers['webhook-signature']?.replace('v1a,', '') ?? ''
  return verifyEd25519(null, Buffer.from(signed), material, Buffer.from(signature, 'base64'))
}
