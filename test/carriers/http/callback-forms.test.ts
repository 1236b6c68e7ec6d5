import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, hash, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT } from 'jose'
import type { JsonObject } from '../../../src/core/json.ts'
import { faultsOf, openBench, plainCallbacks } from './support/bench.ts'

const open = (settings: JsonObject) =>
  openBench(() => ({ status: 200 }), { ...plainCallbacks, ...settings })

const receipt = {
  id: '/id',
  status: '/state',
  statuses: { done: 'DELIVERED', failed: 'UNDELIVERABLE' },
  reason: '/why',
}

describe('A callback by GET', () => {
  const settings = { callbacks: [{ name: 'receipts', method: 'GET', receipt }] }
  const target = '/v1/carriers/carrier_http/callbacks/receipts?token=callback-token'

  it('has its event in the query', async () => {
    await using bench = await open(settings)

    const outcome = await bench.call({
      method: 'GET',
      target: `${target}&id=p1&state=failed&why=7`,
    })
    const posted = await bench.call({ body: '{"id":"p1","state":"done"}' })

    assert.deepEqual([outcome.kind, posted.kind], ['TAKEN', 'REFUSED'])
    assert.deepEqual(bench.events, [
      {
        kind: 'RECEIPT',
        carrierMessageId: 'p1',
        outcome: { type: 'FAILED', detail: 'UNDELIVERABLE' },
        code: '7',
      },
    ])
  })

  it('answers a challenge whose value is right, and no other', async () => {
    await using bench = await open({
      secrets: { token: 'callback-token', verify: 'only-us' },
      callbackChallenge: {
        parameter: 'hub.verify_token',
        value: '{{secret.verify}}',
        answer: 'hub.challenge',
      },
    })
    const ask = (token: string, challenge: string) =>
      bench.call({
        method: 'GET',
        target: `/v1/carriers/x/callbacks/receipts?hub.verify_token=${token}&hub.challenge=${challenge}`,
      })

    const right = await ask('only-us', '1158201444')
    const wrong = await ask('others', '1158201444')
    const long = await ask('only-us', 'x'.repeat(501))

    assert.ok(right.kind === 'TAKEN')
    assert.deepEqual(
      [right.status, right.contentType, right.body],
      [200, 'text/plain', '1158201444'],
    )
    assert.deepEqual([wrong.kind, long.kind], ['REFUSED', 'REFUSED'])
  })
})

describe('The events of a callback', () => {
  const declared = {
    parameters: { number: '+4930123456' },
    callbacks: [
      {
        name: 'events',
        events: '/entry/*/value/messages/*',
        where: { '/type': ['text'] },
        message: { from: '/from', to: '2/metadata/number', body: '/text', digits: true },
      },
      { name: 'events', events: '/entry/*/value/messages/*', ignore: true },
      { name: 'events', events: '/entry/*/value/statuses/*', receipt },
      {
        name: 'events',
        where: { '/kind': ['alert'] },
        message: { from: '/from', to: '={{parameter.number}}', body: '/text', digits: true },
      },
      { name: 'events', where: { '/kind': ['news'] }, ignore: true },
    ],
  }
  const call = async (content: JsonObject) => {
    await using bench = await open(declared)
    const outcome = await bench.call({ name: 'events', body: JSON.stringify(content) })
    return { outcome, events: bench.events }
  }

  it('can be at several paths, with values from outside the event', async () => {
    const { events } = await call({
      entry: [
        {
          value: {
            metadata: { number: '4930123456' },
            messages: [
              { type: 'text', from: '4915112345678', text: 'hello' },
              { type: 'image', from: '4915112345678' },
            ],
          },
        },
        { value: { statuses: [{ id: 'p1', state: 'done' }] } },
      ],
    })

    assert.deepEqual(
      events.map((event) => (event.kind === 'INCOMING' ? [event.to, event.body] : event.kind)),
      [['+4930123456', 'hello'], 'RECEIPT'],
    )
  })

  it('can have a constant', async () => {
    const { events } = await call({ kind: 'alert', from: '4915112345678', text: 'x' })

    assert.deepEqual(
      events.map((event) => event.kind === 'INCOMING' && event.to),
      ['+4930123456'],
    )
  })

  it('are accepted without effect where the declaration ignores them', async () => {
    const { outcome, events } = await call({ kind: 'news' })

    assert.deepEqual([outcome.kind, events.length], ['TAKEN', 0])
  })

  it('take a constant of known parameters only', () => {
    const faults = faultsOf({
      request: { url: 'http://127.0.0.1/' },
      ...plainCallbacks,
      ...declared,
      parameters: {},
    })

    assert.deepEqual(faults, [
      {
        pointer: '/callbacks/3/message',
        detail: 'names {{parameter.number}}; a constant takes parameters only',
      },
    ])
  })

  it('have a code that a pattern finds', async () => {
    await using bench = await open({
      callbacks: [{ name: 'receipts', receipt: { ...receipt, reasonPattern: 'NACK/(\\d+)/' } }],
    })

    await bench.call({ body: '{"id":"p1","state":"failed","why":"NACK/11/Invalid"}' })

    assert.equal(bench.events[0]?.kind === 'RECEIPT' && bench.events[0].code, '11')
  })
})

describe('A callback for several messages', () => {
  const call = async (settings: JsonObject, body: string) => {
    await using bench = await open({
      callbacks: [{ name: 'receipts', receipt: { ...receipt, ...settings } }],
    })
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = await bench.call(body.startsWith('{') ? { body } : { body, headers })
    const receipts = bench.events.map((event) =>
      event.kind === 'RECEIPT'
        ? [event.carrierMessageId, event.outcome.type, event.code ?? null]
        : [],
    )
    return { outcome: form, receipts, fault: bench.carrier.condition().lastError?.detail }
  }
  const commas = { separator: ',' }

  it('has a receipt for each of its identifiers', async () => {
    const listed = await call(commas, 'id=a, b,,c&state=done')
    const selected = await call({ id: '/ids/*' }, '{"ids":["a",7],"state":"failed","why":"x,y"}')

    assert.deepEqual(listed.receipts, [
      ['a', 'DELIVERED', null],
      ['b', 'DELIVERED', null],
      ['c', 'DELIVERED', null],
    ])
    assert.deepEqual(selected.receipts, [
      ['a', 'FAILED', 'x,y'],
      ['7', 'FAILED', 'x,y'],
    ])
  })

  it('has as many states and reasons, or one of each', async () => {
    const each = await call(commas, 'id=a,b,c&state=done,failed,other&why=0,7,')
    const one = await call({ separator: '~' }, 'id=a~b&state=failed&why=no, credit')

    assert.deepEqual(each.receipts, [
      ['a', 'DELIVERED', '0'],
      ['b', 'FAILED', '7'],
    ])
    assert.equal(each.fault, 'the state "other" is not declared')
    assert.deepEqual(one.receipts, [
      ['a', 'FAILED', 'no, credit'],
      ['b', 'FAILED', 'no, credit'],
    ])
  })

  it('is stored without its unreadable identifiers, which it names', async () => {
    const long = 'x'.repeat(256)

    const mixed = await call(commas, `id=a,${long},b&state=done`)
    const none = await call(commas, 'id=,&state=done')

    assert.deepEqual(
      mixed.receipts.map(([id]) => id),
      ['a', 'b'],
    )
    assert.ok(mixed.outcome.kind === 'NOT_UNDERSTOOD' && none.outcome.kind === 'NOT_UNDERSTOOD')
    assert.equal(mixed.outcome.counts.receipts, 2)
    assert.deepEqual(none.outcome.errors, [
      { pointer: '', detail: 'has no identifier that can be read at /id' },
    ])
  })

  it('is refused with more than 1,000 of them', async () => {
    const ids = Array.from({ length: 1001 }, (_, index) => index)

    const most = await call(commas, `id=${ids.slice(1).join(',')}&state=done`)
    const more = await call(commas, `id=${ids.join(',')}&state=done`)

    assert.equal(most.receipts.length, 1000)
    assert.deepEqual([more.outcome.kind, more.receipts.length], ['UNREADABLE', 0])
  })
})

describe('A signed callback', () => {
  const body = '{"id":"p1","state":"done"}'
  const target = '/v1/carriers/carrier_http/callbacks/receipts'
  const times = { 'content-type': 'application/json', 'x-time': '1700000000' }

  for (const [algorithm, keys, digest] of [
    ['ED25519', generateKeyPairSync('ed25519'), null],
    ['ECDSA_SHA256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256'],
    ['RSA_SHA256', generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256'],
  ] as const) {
    it(`with ${algorithm} is verified by the public key`, async () => {
      const key = keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
      const signature = { header: 'X-Signature', algorithm, encoding: 'BASE64' }
      await using bench = await open({
        parameters: { key },
        callbackAuthentication: {
          signature: {
            ...signature,
            key: '{{parameter.key}}',
            content: '{{header.x-time}}|{{body}}',
          },
        },
      })
      const signed = sign(digest, Buffer.from(`1700000000|${body}`), keys.privateKey)
      const headers = { ...times, 'x-signature': signed.toString('base64') }

      const right = await bench.call({ target, headers, body })
      const changed = await bench.call({ target, headers: { ...headers, 'x-time': '1' }, body })
      const bare = await bench.call({ target, headers: times, body })

      assert.deepEqual([right.kind, changed.kind, bare.kind], ['TAKEN', 'REFUSED', 'REFUSED'])
    })
  }

  it('can have a signature over the digest of its body', async () => {
    await using bench = await open({
      publicUrl: 'https://sms.example.com',
      callbackAuthentication: {
        signature: {
          header: 'X-Signature',
          encoding: 'BASE64',
          key: '{{secret.token}}',
          content: '{{header.x-time}}\n{{url}}\n{{bodySha256}}',
        },
      },
    })
    const signed = createHmac('sha256', 'callback-token')
      .update(`1700000000\nhttps://sms.example.com${target}\n`)
      .update(hash('sha256', body, 'buffer'))
    const headers = { ...times, 'x-signature': signed.digest('base64') }

    const right = await bench.call({ target, headers, body })
    const changed = await bench.call({ target, headers, body: body.replace('done', 'failed') })

    assert.deepEqual([right.kind, changed.kind], ['TAKEN', 'REFUSED'])
  })

  it('can have a JWT with the digest of its body, which expires', async () => {
    await using bench = await open({
      callbackAuthentication: {
        jwt: { key: '{{secret.token}}', bodyDigest: 'payload_hash', claims: { iss: 'Vonage' } },
      },
    })
    const now = Math.floor(bench.clock.now() / 1000)
    const tokenOf = (claims: JsonObject, seconds = 300, alg = 'HS256') =>
      new SignJWT(claims)
        .setProtectedHeader({ alg })
        .setExpirationTime(now + seconds)
        .sign(Buffer.from('callback-token'))
    const claims = { iss: 'Vonage', payload_hash: hash('sha256', body) }
    const call = async (token: string, content = body) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      return (await bench.call({ target, headers, body: content })).kind
    }

    assert.equal(await call(await tokenOf(claims)), 'TAKEN')
    assert.equal(await call(await tokenOf(claims), `${body} `), 'REFUSED')
    assert.equal(await call(await tokenOf({ ...claims, iss: 'other' })), 'REFUSED')
    assert.equal(await call(await tokenOf(claims, -61)), 'REFUSED')
    assert.equal(await call(await tokenOf(claims, 300, 'HS384')), 'REFUSED')
    assert.equal(await call('eyJhbGciOiJub25lIn0.e30.'), 'REFUSED')
  })
})

describe('A request to confirm a subscription', () => {
  const declared = {
    callbackFormat: 'JSON',
    parameters: { region: 'eu-west-1' },
    callbacks: [
      {
        name: 'events',
        where: { '/Type': ['SubscriptionConfirmation'] },
        confirm: { url: '/SubscribeURL', host: 'sns.{{parameter.region}}.amazonaws.com' },
      },
    ],
  }

  it('goes to the declared host over https, and nowhere else', async () => {
    for (const url of [
      'http://sns.eu-west-1.amazonaws.com/?x',
      'https://169.254.169.254/',
      'https://sns.eu-west-1.amazonaws.com.evil.example/',
      'https://sns.eu-west-1.amazonaws.com:444/',
      'file:///etc/passwd',
    ]) {
      await using bench = await open(declared)
      const body = JSON.stringify({ Type: 'SubscriptionConfirmation', SubscribeURL: url })

      const outcome = await bench.call({
        name: 'events',
        headers: { 'content-type': 'text/plain' },
        body,
      })

      assert.ok(outcome.kind === 'NOT_UNDERSTOOD', url)
      assert.deepEqual(outcome.errors, [
        { pointer: '', detail: 'has no URL of sns.eu-west-1.amazonaws.com at /SubscribeURL' },
      ])
    }
  })

  it('is sent once for a callback, however many it has', async () => {
    const callbacks = declared.callbacks.map((each) => ({ ...each, events: '/*' }))
    await using bench = await open({ ...declared, callbacks })
    const event = { Type: 'SubscriptionConfirmation', SubscribeURL: 'https://other.example/' }

    const outcome = await bench.call({ name: 'events', body: JSON.stringify([event, event]) })

    assert.ok(outcome.kind === 'NOT_UNDERSTOOD')
    assert.deepEqual(
      outcome.errors.map((each) => each.detail),
      [
        'has no URL of sns.eu-west-1.amazonaws.com at /SubscribeURL',
        'is a second confirmation: a callback has one',
      ],
    )
  })

  it('is repeated by the provider if it fails', async () => {
    await using bench = await open(declared)
    const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription'
    const body = JSON.stringify({ Type: 'SubscriptionConfirmation', SubscribeURL })

    const outcome = await bench.call({
      name: 'events',
      headers: { 'content-type': 'text/plain' },
      body,
    })

    assert.equal(outcome.kind, 'NOT_UNDERSTOOD')
  })
})
