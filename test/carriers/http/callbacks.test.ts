import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import type { JsonObject } from '../../../src/core/json.ts'
import { StoreUnavailable } from '../../../src/core/ports/store.ts'
import { settle } from '../../support/virtual-clock.ts'
import { openBench, plainCallbacks } from './support/bench.ts'

const open = (settings: JsonObject = {}) =>
  openBench(() => ({ status: 200 }), { ...plainCallbacks, ...settings })

const receipt = (state: string, more: JsonObject = {}) =>
  JSON.stringify({ id: 'p1', state, ...more })

describe('A callback of a carrier over HTTP', () => {
  it('with a receipt reports it, with the reason where there is one', async () => {
    await using bench = await open()

    await bench.call({ body: receipt('done') })
    await bench.call({ body: receipt('failed') })
    await bench.call({ body: receipt('failed', { why: 'late' }) })
    await bench.call({ body: receipt('lost') })

    assert.deepEqual(
      bench.events.map((event) => event.kind === 'RECEIPT' && event.outcome),
      [
        { type: 'DELIVERED', detail: null },
        { type: 'FAILED', detail: 'UNDELIVERABLE' },
        { type: 'FAILED', detail: 'EXPIRED' },
        { type: 'UNKNOWN', detail: null },
      ],
    )
  })

  it('as a form means the same', async () => {
    await using bench = await open()

    const outcome = await bench.call({
      headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' },
      body: 'id=p1&state=done&__proto__=x',
    })

    assert.deepEqual(outcome, {
      kind: 'TAKEN',
      status: 200,
      contentType: null,
      body: null,
      counts: { receipts: 1, messages: 0, passedOver: 0, notUnderstood: 0 },
    })
  })

  it('of a state on the way is reported under the provider’s name of it', async () => {
    await using bench = await open()

    for (const state of ['sent', 'sent.to supplier', '…']) {
      await bench.call({ body: receipt(state) })
    }

    assert.deepEqual(
      bench.events.map((event) => (event.kind === 'RECEIPT' ? event.outcome : null)),
      ['SENT', 'SENT_TO_SUPPLIER', 'ENROUTE'].map((detail) => ({ type: 'SENT', detail })),
    )
    assert.equal(bench.carrier.condition().lastError, null)
  })

  it('of a state that is not declared is answered, has no effect and is named', async () => {
    await using bench = await open()

    const strange = await bench.call({ body: receipt('teleported') })

    assert.deepEqual([strange.kind, bench.events.length], ['TAKEN', 0])
    assert.match(bench.carrier.condition().lastError?.detail ?? '', /"teleported" is not declared/)
  })

  it('with several messages brings all of them, their addresses in international form', async () => {
    await using bench = await open()
    const item = (id: string, text: string) => ({ id, from: '4915112345678', to: '12345', text })

    await bench.call({
      name: 'messages',
      body: JSON.stringify({ items: [item('a', 'hello'), item('b', 'grüße 😀')] }),
    })
    const none = await bench.call({ name: 'messages', body: '{"items":[]}' })

    assert.equal(none.kind, 'TAKEN')
    assert.deepEqual(
      bench.events.map((event) =>
        event.kind === 'INCOMING'
          ? [event.from, event.to, event.body, event.encoding, event.carrierMessageId]
          : [],
      ),
      [
        ['+4915112345678', '12345', 'hello', 'TEXT', 'a'],
        ['+4915112345678', '12345', 'grüße 😀', 'UNICODE', 'b'],
      ],
    )
  })

  it('has an empty sender if the provider gives an empty one or null, and none by mistake', async () => {
    await using bench = await open()
    const item = { id: 'a', to: '12345', text: 'hello' }
    const items = [{ ...item, from: '' }, { ...item, from: null }, item]

    const outcome = await bench.call({ name: 'messages', body: JSON.stringify({ items }) })

    assert.deepEqual(
      bench.events.map((event) => (event.kind === 'INCOMING' ? event.from : null)),
      ['', ''],
    )
    assert.ok(outcome.kind === 'NOT_UNDERSTOOD')
    assert.deepEqual(outcome.errors, [
      { pointer: '/items/2', detail: 'has no sender that can be read at /from' },
    ])
  })

  it('is kept where it has what no text can have, or a name twice', async () => {
    await using bench = await open()
    const text = String.raw`"id":"a","from":"+4915112345678","to":"12345","text":"\u0000","text":"\u0000 \ud800"`

    const outcome = await bench.call({ name: 'messages', body: `{"items":[{${text}}]}` })

    assert.equal(outcome.kind, 'TAKEN')
    assert.deepEqual(
      bench.events.map((event) => (event.kind === 'INCOMING' ? event.body : null)),
      ['\ufffd \ufffd'],
    )
  })

  it('of which a part is not understood keeps the rest, and says what is wrong with which', async () => {
    await using bench = await open()
    const items = [
      { id: 'a', from: '+4915112345678', to: '12345', text: 'x' },
      { from: '+4915112345678', text: 'y' },
      7,
    ]

    const outcome = await bench.call({ name: 'messages', body: JSON.stringify({ items }) })

    assert.equal(bench.events.length, 1)
    assert.ok(outcome.kind === 'NOT_UNDERSTOOD')
    assert.deepEqual(outcome.errors, [
      { pointer: '/items/1', detail: 'has no recipient that can be read at /to' },
      { pointer: '/items/2', detail: 'has no sender that can be read at /from' },
    ])
  })

  it('is answered when what it tells is stored, and fails where it cannot be', async () => {
    await using bench = await open()
    const stored = Promise.withResolvers<void>()
    bench.durable.promise = stored.promise
    let isAnswered = false

    const answer = bench.call({ body: receipt('done') }).then(() => {
      isAnswered = true
    })
    await settle()
    const before = isAnswered
    stored.resolve()
    await answer
    bench.durable.promise = Promise.reject(new StoreUnavailable('the disk is full'))

    assert.deepEqual([before, isAnswered], [false, true])
    await assert.rejects(bench.call({ body: receipt('done') }), StoreUnavailable)
  })

  for (const [what, body, kind] of [
    ['no JSON', '{', 'UNREADABLE'],
    ['nothing', '', 'UNREADABLE'],
    ['another shape', '{"hello":"world"}', 'NOT_UNDERSTOOD'],
    ['an array', '[]', 'NOT_UNDERSTOOD'],
    ['a number', '1', 'NOT_UNDERSTOOD'],
    ['null', 'null', 'NOT_UNDERSTOOD'],
    ['objects where texts belong', '{"id":{},"state":[]}', 'NOT_UNDERSTOOD'],
    ['deep nesting', '['.repeat(100_000) + ']'.repeat(100_000), 'NOT_UNDERSTOOD'],
    ['characters that no store keeps', '{"id":"a\\u0000","state":"done"}', 'NOT_UNDERSTOOD'],
  ] as const) {
    it(`with ${what} is refused and changes nothing`, async () => {
      await using bench = await open()

      const outcome = await bench.call({ body })

      assert.deepEqual([outcome.kind, bench.events.length], [kind, 0])
    })
  }

  it('of another type, or with more events than are taken at once, is refused', async () => {
    await using bench = await open()

    const xml = await bench.call({ headers: { 'content-type': 'text/xml' }, body: '<a/>' })
    const items = Array.from({ length: 1001 }, () => 1)
    const many = await bench.call({ name: 'messages', body: JSON.stringify({ items }) })

    assert.deepEqual([xml.kind, many.kind], ['WRONG_TYPE', 'UNREADABLE'])
  })

  it('is told apart from nothing by its secret alone', async () => {
    await using bench = await open()
    const body = receipt('done')
    const path = '/v1/carriers/carrier_http/callbacks/receipts'

    for (const target of [path, `${path}?token=wrong`, `${path}?token=callback-token&token=x`]) {
      assert.deepEqual(await bench.call({ target, body }), { kind: 'REFUSED' })
    }
    assert.deepEqual(await bench.call({ name: 'none', body }), { kind: 'REFUSED' })
    assert.equal(bench.events.length, 0)
  })

  it('that is refused is named in the last error until one was accepted', async () => {
    await using bench = await open()
    const path = '/v1/carriers/carrier_http/callbacks/receipts'
    const fault = () => bench.carrier.condition().lastError?.detail

    await bench.call({ target: `${path}?token=wrong` })
    const wrong = fault()
    await bench.call({ name: 'reports' })
    const unknown = fault()
    await bench.call({ body: 'no JSON' })
    const unreadable = fault()
    await bench.call({ target: `${path}?token=wrong` })

    assert.deepEqual(
      [wrong, unknown, unreadable, fault()],
      [
        'a callback was refused with 401: it does not match callbackAuthentication/query',
        'a callback was refused with 401: no callback is declared with its name and method',
        'a callback was not understood: The body is not JSON.',
        'a callback was not understood: The body is not JSON.',
      ],
    )
  })
})

describe('A callback that shows who calls', () => {
  const body = receipt('done')
  const secrets = { secret: 'sesame' }

  it('does so by a header field, or by HTTP Basic', async () => {
    await using header = await open({
      secrets,
      callbackAuthentication: { header: { name: 'X-Key', value: '{{secret.secret}}' } },
    })
    await using basic = await open({
      secrets,
      callbackAuthentication: { basic: { username: 'u', password: '{{secret.secret}}' } },
    })
    const type = { 'content-type': 'application/json' }
    const credentials = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

    const outcomes = [
      await header.call({ body, headers: { ...type, 'x-key': 'sesame' } }),
      await header.call({ body, headers: { ...type, 'x-key': 'sesame2' } }),
      await header.call({ body, headers: type }),
      await basic.call({ body, headers: { ...type, authorization: credentials('u:sesame') } }),
      await basic.call({ body, headers: { ...type, authorization: credentials('u:other') } }),
    ]

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['TAKEN', 'REFUSED', 'REFUSED', 'TAKEN', 'REFUSED'],
    )
  })

  it('does so by a signature over the body and a header field, in hex with a prefix', async () => {
    await using bench = await open({
      secrets,
      callbackAuthentication: {
        signature: {
          header: 'X-Signature',
          prefix: 'sha256=',
          key: '{{secret.secret}}',
          content: '{{header.x-time}}.{{body}}',
        },
      },
    })
    const digest = createHmac('sha256', 'sesame').update(`17.${body}`).digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-time': '17',
      'x-signature': `sha256=${digest}`,
    }

    const sound = await bench.call({ body, headers })
    const changed = await bench.call({ body: receipt('failed'), headers })
    const later = await bench.call({ body, headers: { ...headers, 'x-time': '18' } })

    assert.deepEqual([sound.kind, changed.kind, later.kind], ['TAKEN', 'REFUSED', 'REFUSED'])
  })
})
