import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { privateKey, secretKey, sign } from '../src/index.ts'
import { known } from './support/known.ts'

describe('sign', () => {
  it('makes the known v1 signature of Standard Webhooks', () => {
    assert.equal(sign(secretKey(known.secret), known.content), known.v1)
  })

  it('makes the known v1a signature of Standard Webhooks', () => {
    assert.equal(sign(privateKey(known.privateKey), known.content), known.v1a)
  })

  it('signs text as its UTF-8 bytes', () => {
    const key = secretKey(known.secret)
    const body = '["Grüße 👋"]'

    const ofText = sign(key, { ...known.content, body })
    const ofBytes = sign(key, { ...known.content, body: new TextEncoder().encode(body) })

    assert.equal(ofText, ofBytes)
  })

  it('signs as the reference library does', () => {
    const reference = new Webhook(known.secret)
    const key = secretKey(known.secret)

    fc.assert(
      fc.property(ids, timestamps, fc.string({ unit: 'grapheme' }), (id, timestamp, body) => {
        const theirs = reference.sign(id, new Date(timestamp * 1000), body)

        assert.equal(sign(key, { id, timestamp, body }), theirs)
      }),
    )
  })

  it('refuses an id or a timestamp with which another text would have the same signature', () => {
    const key = secretKey(known.secret)

    assert.throws(() => sign(key, { ...known.content, id: 'a.1' }), /full stop/)
    assert.throws(() => sign(key, { ...known.content, id: '' }), /not empty/)
    assert.throws(() => sign(key, { ...known.content, timestamp: 1.5 }), /whole seconds/)
    assert.throws(() => sign(key, { ...known.content, timestamp: -1 }), /whole seconds/)
  })

  it('refuses a timestamp in milliseconds', () => {
    const timestamp = known.content.timestamp * 1000

    assert.throws(() => sign(secretKey(known.secret), { ...known.content, timestamp }), /seconds/)
  })
})

const ids = fc.stringMatching(/^[A-Za-z0-9_-]{1,64}$/)
const timestamps = fc.integer({ min: 0, max: 4_000_000_000 })
