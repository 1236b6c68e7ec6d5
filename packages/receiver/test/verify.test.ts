import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import {
  keyPairFrom,
  privateKey,
  Refusal,
  secretFrom,
  secretKey,
  sign,
  verify,
  verifyingKey,
  type HeaderSource,
} from '../src/index.ts'
import { known, nowSeconds } from './support/known.ts'

const { id, timestamp, body } = known.content
const time = { nowMs: nowSeconds * 1000, toleranceSeconds: 300 }
const headers = {
  'webhook-id': id,
  'webhook-timestamp': String(timestamp),
  'webhook-signature': known.v1,
}

/** The detail of the refusal, or null where the request is accepted. */
function refusalOf(changes: Record<string, string | undefined>, keys = [known.secret]) {
  try {
    verify(keys.map(verifyingKey), { ...headers, ...changes }, body, time)
    return null
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.status, 401)
    return error.message
  }
}

describe('verify', () => {
  it('accepts the known signatures of Standard Webhooks', () => {
    assert.equal(refusalOf({}), null)
    assert.equal(refusalOf({ 'webhook-signature': known.v1a }, [known.publicKey]), null)
  })

  it('returns the signed id and time', () => {
    const delivery = verify([secretKey(known.secret)], headers, body, time)

    assert.deepEqual(delivery, { webhookId: id, timestamp })
  })

  const forms: Record<string, HeaderSource> = {
    'a Headers object': new Headers(headers),
    'names in any case': {
      'Webhook-Id': id,
      'WEBHOOK-TIMESTAMP': String(timestamp),
      'wEbHook-Signature': known.v1,
    },
    'values in lists': {
      'webhook-id': [id],
      'webhook-timestamp': [String(timestamp)],
      'webhook-signature': [known.v1, 'v1,AAAA'],
    },
  }
  for (const [form, source] of Object.entries(forms)) {
    it(`takes headers as ${form}`, () => {
      assert.equal(verify([secretKey(known.secret)], source, body, time).webhookId, id)
    })
  }

  it('accepts one good signature among others', () => {
    const signature = `v2,new v1,AAAA ${known.v1a} ${known.v1} v1,`

    assert.equal(refusalOf({ 'webhook-signature': signature }), null)
  })

  it('accepts what any one of several keys has signed', () => {
    const other = secretFrom(new Uint8Array(32))

    assert.equal(refusalOf({}, [other, known.publicKey, known.secret]), null)
    assert.match(refusalOf({}, [other]) ?? '', /No signature matches/)
  })

  it('says which schemes were offered and which can be verified', () => {
    const detail = refusalOf({ 'webhook-signature': known.v1a }) ?? ''

    assert.match(detail, /Signed by v1a; the receiver's keys verify v1\./)
  })

  for (const name of Object.keys(headers)) {
    it(`refuses a request without ${name}, and names it`, () => {
      assert.match(refusalOf({ [name]: undefined }) ?? '', new RegExp(`${name} is missing`))
      assert.match(refusalOf({ [name]: '' }) ?? '', new RegExp(`${name} is missing`))
    })
  }

  for (const text of [
    '123abc',
    '1614265330.0',
    '1e9',
    '-1614265330',
    '01614265330',
    ' 1614265330',
  ]) {
    it(`refuses the timestamp "${text}"`, () => {
      assert.match(refusalOf({ 'webhook-timestamp': text }) ?? '', /in digits alone/)
    })
  }

  it('allows the clocks to differ by the tolerance and not by a second more, on both sides', () => {
    const at = (aheadSeconds: number) => () =>
      verify([secretKey(known.secret)], headers, body, {
        ...time,
        nowMs: (timestamp + aheadSeconds) * 1000,
      })

    assert.doesNotThrow(at(300))
    assert.doesNotThrow(at(-300))
    assert.throws(at(301), /301 s behind the receiver's clock, and 300 s are allowed/)
    assert.throws(at(-301), /301 s ahead of the receiver's clock/)
  })

  it('refuses everything where the clock is not a number', () => {
    const broken = { nowMs: Number.NaN, toleranceSeconds: 300 }

    assert.throws(() => verify([secretKey(known.secret)], headers, body, broken), Refusal)
  })

  it('refuses an id with a full stop, which could be a part of another request', () => {
    const moved = { id: 'a', timestamp, body: `${timestamp}.${body}` }
    const signature = sign(secretKey(known.secret), moved)

    const detail = refusalOf({ 'webhook-id': `a.${timestamp}`, 'webhook-signature': signature })

    assert.match(detail ?? '', /full stop/)
  })

  it('refuses a list of signatures that only costs work', () => {
    const many = Array.from({ length: 17 }, () => known.v1).join(' ')

    assert.match(refusalOf({ 'webhook-signature': many }) ?? '', /more than 16/)
  })

  it('refuses pieces and paddings of a good signature', () => {
    for (let end = 0; end < known.v1.length; end++) {
      assert.notEqual(refusalOf({ 'webhook-signature': known.v1.slice(0, end) }), null)
    }
    assert.notEqual(refusalOf({ 'webhook-signature': `${known.v1}=` }), null)
    assert.notEqual(refusalOf({ 'webhook-signature': known.v1.slice(3) }), null)
    assert.notEqual(refusalOf({ 'webhook-signature': 'v1a,AAAA' }, [known.publicKey]), null)
  })
})

describe('What sign makes, verify', () => {
  const pair = keyPairFrom(new Uint8Array(32).fill(1))
  const schemes = {
    v1: { signer: secretKey(known.secret), verifier: secretKey(known.secret) },
    v1a: { signer: privateKey(pair.privateKey), verifier: verifyingKey(pair.publicKey) },
  }
  const contents = fc.record({
    id: fc.stringMatching(/^[\x21-\x2d\x2f-\x7e]{1,64}$/),
    timestamp: fc.integer({ min: 0, max: 4_000_000_000 }),
    body: fc.uint8Array({ maxLength: 200 }),
  })

  for (const [scheme, { signer, verifier }] of Object.entries(schemes)) {
    it(`accepts (${scheme})`, () => {
      fc.assert(
        fc.property(contents, (content) => {
          const accept = accepting(content, sign(signer, content))

          assert.doesNotThrow(() => accept([verifier]))
        }),
      )
    })

    it(`refuses once any byte of body, id or timestamp is another (${scheme})`, () => {
      fc.assert(
        fc.property(contents, tamperings, (content, tamper) => {
          const changed = tamper(content)
          fc.pre(changed !== null)
          const accept = accepting(changed, sign(signer, content))

          assert.throws(() => accept([verifier]), Refusal)
        }),
      )
    })
  }

  it('accepts what the reference library signs, and the other way round', () => {
    const now = Math.floor(Date.now() / 1000)
    const reference = new Webhook(known.secret)
    const key = secretKey(known.secret)
    const text = '[{"id":"message_1"}]'
    const theirs = reference.sign('msg_1', new Date(now * 1000), text)
    const ours = sign(key, { id: 'msg_1', timestamp: now, body: text })

    assert.doesNotThrow(() => accepting({ id: 'msg_1', timestamp: now, body: text }, theirs)([key]))
    assert.deepEqual(
      reference.verify(text, {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(now),
        'webhook-signature': ours,
      }),
      [{ id: 'message_1' }],
    )
  })
})

interface Content {
  readonly id: string
  readonly timestamp: number
  readonly body: Uint8Array | string
}

/**
 * Verifies at the time of the content's own timestamp, so that only the signature can be at fault.
 */
function accepting(content: Content, signature: string) {
  const headers = {
    'webhook-id': content.id,
    'webhook-timestamp': String(content.timestamp),
    'webhook-signature': signature,
  }
  const now = { nowMs: content.timestamp * 1000, toleranceSeconds: 300 }
  return (keys: Parameters<typeof verify>[0]) => verify(keys, headers, content.body, now)
}

type Tamper = (content: Content & { readonly body: Uint8Array }) => Content | null

const place = fc.nat({ max: 10_000 })
const bits = fc.integer({ min: 1, max: 255 })

const tamperings: fc.Arbitrary<Tamper> = fc.oneof(
  fc.tuple(place, bits).map(([at, flip]): Tamper => (content) => {
    if (content.body.length === 0) return null
    const index = at % content.body.length
    return { ...content, body: content.body.with(index, (content.body[index] ?? 0) ^ flip) }
  }),
  fc.constant<Tamper>((content) => ({ ...content, body: new Uint8Array([...content.body, 0]) })),
  fc.constant<Tamper>((content) =>
    content.body.length === 0 ? null : { ...content, body: content.body.subarray(1) },
  ),
  fc.tuple(place, fc.stringMatching(/^[a-z]$/)).map(([at, letter]): Tamper => (content) => {
    const index = at % content.id.length
    const id = content.id.slice(0, index) + letter + content.id.slice(index + 1)
    return id === content.id ? null : { ...content, id }
  }),
  fc
    .integer({ min: 1, max: 1000 })
    .map((more): Tamper => (content) => ({ ...content, timestamp: content.timestamp + more })),
)
