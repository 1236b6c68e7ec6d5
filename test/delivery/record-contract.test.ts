import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it, type TestContext } from 'node:test'
import {
  nodeHandler,
  receiver,
  secretFrom,
  type AlertRecord,
  type NotificationRecord,
  type Refusal,
} from '@nuncio/receiver'
import { alertFields } from '../../src/collections/alerts.ts'
import {
  failures,
  recordFields,
  recordNames,
  sentStatuses,
} from '../../src/collections/messages.ts'
import { systemClock } from '../../src/core/ports/clock.ts'
import type { Field, Fields } from '../../src/core/declaration/field.ts'
import { isJsonObject, type JsonValue } from '../../src/core/json.ts'
import type { SendHttp } from '../../src/core/ports/outgoing-request.ts'
import { egressGuard, networks, systemLookup } from '../../src/delivery/egress/guard.ts'
import { poster } from '../../src/delivery/egress/poster.ts'
import { noTlvs, plainBody, startSmsc, type Smsc } from '../carriers/smpp/support/smsc.ts'
import { until } from '../carriers/support/until.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

const secret = secretFrom(Uint8Array.from({ length: 32 }, (_, index) => index))
const alertTypes = ['WEBHOOK_DISABLED', 'WEBHOOK_RECOVERED']
const phone = '+447700900123'
const minuteMs = 60_000

describe('every record that the service produces', () => {
  it('is a message of the simulator, in each status, encoding and number of parts', async (t) => {
    const { api, handled, refusals, arrived } = await start(t)
    const put = (id: string, fields: object) =>
      api.put(`/v1/messages/${id}`, { to: phone, body: 'hello', ...fields })

    const inOneMinute = new Date(api.clock.now() + minuteMs).toISOString()
    await put('text', { userSuppliedId: 'order-17', from: '+447700900456' })
    await put('unicode', { body: 'Grüße 😀', encoding: 'UNICODE' })
    await put('binary', { body: '00ff', encoding: 'BINARY', messageClass: 0, protocolId: 64 })
    await put('parts', { body: 'x'.repeat(400) })
    await put('undeliverable', { to: '+10000000001' })
    await put('rejected', { to: '+10000000002' })
    await put('unknown', { to: '+10000000003', validUntil: inOneMinute })
    await put('replied', { to: '+10000000004' })
    await put('scheduled', { scheduledAt: inOneMinute })
    await put('cancelled', { scheduledAt: inOneMinute })
    await api.patch('/v1/messages/cancelled', { status: { type: 'CANCELLED' } })
    await api.put('/v1/optOuts/blocked', { address: '+447700900999' })
    await put('blocked', { to: '+447700900999' })
    await api.clock.advance(5 * minuteMs)
    const isDone = (id: string, status: string) =>
      handled.some(({ record }) => record.id === id && statusOf(record) === status)
    await arrived('all have their last status', () =>
      Object.entries(lastStatuses).every(([id, status]) => isDone(id, status)),
    )

    const { numberOfParts } = messagesIn(handled).find(({ id }) => id === 'parts') ?? {}
    assert.equal(numberOfParts, 3)
    const related = messagesIn(handled).find(({ type }) => type === 'RECEIVED')
    assert.equal(related?.relatedSentMessageId, 'replied')
    assert.deepEqual(
      new Set(messagesIn(handled).map(({ encoding }) => encoding)),
      new Set(['TEXT', 'UNICODE', 'BINARY']),
    )
    assert.deepEqual(
      new Set(messagesIn(handled).map(({ status }) => status.type)),
      new Set([...sentStatuses, 'RECEIVED']),
    )
    assertSound(handled, refusals)
  })

  it('is a message over SMPP, also one without sender or text', async (t) => {
    const { api, handled, refusals, arrived } = await start(t)
    await using smsc = await startSmsc()
    const settings = { host: '127.0.0.1', port: smsc.port, systemId: 'nuncio', password: 'hush' }
    await api.put('/v1/carriers/smsc', { type: 'SMPP', settings })
    await until('the carrier is bound', () => smsc.sessions[0]?.boundWith !== undefined)
    await bound(api)

    await api.put('/v1/messages/out', { to: phone, body: 'hello', carrier: 'smsc' })
    await until('the message is submitted', () => smsc.submitted.length === 1)
    await api.clock.advance(10)
    await deliver(smsc, { esm_class: 4, short_message: Buffer.from('id:1 stat:EXPIRED err:001') })
    await deliver(smsc, { short_message: Buffer.from('hello') })
    await deliver(smsc, { source_addr: '', source_addr_ton: 0, short_message: Buffer.from('hi') })
    await deliver(smsc, { source_addr: '', source_addr_ton: 5, destination_addr: '' })
    await deliver(smsc, { data_coding: 4, short_message: Uint8Array.of(0, 255) })
    await deliver(smsc, { data_coding: 8, short_message: Buffer.from('😀', 'utf16le').swap16() })
    for (const part of [1, 2]) {
      const header = Uint8Array.of(5, 0, 3, 7, 2, part)
      const octets = Buffer.concat([header, Buffer.from(`part ${part} `)])
      await deliver(smsc, { esm_class: 0x40, short_message: octets })
    }
    await arrived('all are handled', () => handled.length === 9)

    const received = messagesIn(handled).filter(({ type }) => type === 'RECEIVED')
    assert.deepEqual(
      received.map(({ from, body, encoding, numberOfParts }) => [
        from,
        body,
        encoding,
        numberOfParts,
      ]),
      [
        ['+4915112345678', 'hello', 'TEXT', 1],
        ['', 'hi', 'TEXT', 1],
        ['', '', 'TEXT', 1],
        ['+4915112345678', '00FF', 'BINARY', 1],
        ['+4915112345678', '😀', 'UNICODE', 1],
        ['+4915112345678', 'part 1 part 2 ', 'TEXT', 2],
      ],
    )
    const { json } = await api.get('/v1/messages?from=&sort=id_asc')
    const found: readonly NotificationRecord[] = json
    assert.deepEqual(
      found.map(({ id, from }) => [id, from]),
      received.filter(({ from }) => from === '').map(({ id }) => [id, '']),
    )
    const [first] = json
    const again = await api.put(`/v1/messages/${first.id}`, first)
    assert.deepEqual([again.status, again.json], [200, first])
    assert.deepEqual(statusesOf('out', handled), ['ACCEPTED', 'SENT', 'FAILED'])
    assertSound(handled, refusals)
  })

  it('is a message over HTTP, also one without sender or text', async (t) => {
    const { api, handled, refusals, arrived } = await start(t)
    await api.put('/v1/carriers/provider', provider)
    await bound(api)
    const call = (name: string, body: object) =>
      api.post(`/v1/carriers/provider/callbacks/${name}?token=open-sesame`, body, { key: null })

    await api.put('/v1/messages/out', { to: phone, body: 'hello', carrier: 'provider' })
    await settle(20)
    await api.clock.advance(10)
    await call('receipts', { id: 'p-1', s: 'failed' })
    const received = { to: '12345', text: 'hello' }
    const calls = [
      await call('messages', { ...received, id: 'in-1', from: phone }),
      await call('messages', { ...received, id: 'in-2', from: '' }),
      await call('messages', { ...received, id: 'in-3', from: null, text: '' }),
      await call('messages', { ...received, id: 'in-4', from: 'Shop', text: 'Grüße 😀' }),
    ]
    await arrived('all are handled', () => handled.length === 7)

    assert.deepEqual(
      calls.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.deepEqual(
      messagesIn(handled)
        .filter(({ type }) => type === 'RECEIVED')
        .map(({ from, body }) => [from, body]),
      [
        [phone, 'hello'],
        ['', 'hello'],
        ['', ''],
        ['Shop', 'Grüße 😀'],
      ],
    )
    assert.deepEqual(statusesOf('out', handled), ['ACCEPTED', 'SENT', 'FAILED'])
    assertSound(handled, refusals)
  })

  it('is an alert, a record of a replay or the sample of a test', async (t) => {
    const { api, handled, refusals, arrived, gone } = await start(t)
    await api.put('/v1/webhooks/shop', { url: `${gone.url}/`, name: null })
    await api.put('/v1/messages/m', { to: phone, body: 'hello' })
    await api.clock.advance(1000)
    await arrived('the alert is handled', () => typesIn(handled).includes('WEBHOOK_DISABLED'))
    gone.status = 204
    await api.patch('/v1/webhooks/shop', { active: true })
    await arrived('it is handled', () => typesIn(handled).includes('WEBHOOK_RECOVERED'))
    const before = handled.length

    for (const type of ['SENT', 'RECEIVED', ...alertTypes]) {
      await api.post('/v1/webhooks/all/deliveries', { type })
    }
    const sampled = handled.slice(before).map(({ record }) => record.type)
    await api.post('/v1/webhooks/all/replays', { from: '2026-01-01T00:00:00Z' })
    await api.clock.advance(1000)
    await arrived('all are replayed', () => handled.length === before * 2 + sampled.length)

    assert.deepEqual(sampled, ['SENT', 'RECEIVED', ...alertTypes])
    assert.equal(typesIn(handled).filter((type) => type === 'WEBHOOK_DISABLED').length, 3)
    assertSound(handled, refusals)
  })
})

/** The last status of each message in the test of the simulator. */
const lastStatuses: Readonly<Record<string, string>> = {
  text: 'DELIVERED',
  unicode: 'DELIVERED',
  binary: 'DELIVERED',
  parts: 'DELIVERED',
  undeliverable: 'FAILED',
  rejected: 'FAILED',
  unknown: 'UNKNOWN',
  replied: 'DELIVERED',
  scheduled: 'DELIVERED',
  cancelled: 'CANCELLED',
  blocked: 'FAILED',
}

const provider = {
  type: 'HTTP',
  settings: {
    request: { url: 'https://provider.example/', json: { text: '{{body}}' } },
    secrets: { token: 'open-sesame' },
    answers: [{ status: ['200'], meaning: 'ACCEPTED', id: '/id' }],
    callbackAuthentication: { query: { name: 'token', value: '{{secret.token}}' } },
    callbacks: [
      {
        name: 'receipts',
        receipt: { id: '/id', status: '/s', statuses: { failed: 'HANDSET_ERROR' } },
      },
      { name: 'messages', message: { id: '/id', from: '/from', to: '/to', body: '/text' } },
    ],
  },
}

/** A record with the type of the handler that was given it. */
interface Handled {
  readonly handler: string
  readonly record: NotificationRecord | AlertRecord
}

interface Started {
  readonly api: TestApi
  readonly handled: readonly Handled[]
  /** What the receiver refused or failed at. */
  readonly refusals: readonly (Refusal | string)[]
  /** Waits for records; fails if the receiver refuses any. */
  readonly arrived: (what: string, holds: () => boolean) => Promise<void>
  /** A second receiver, which answers 410 until the test changes it. */
  readonly gone: { readonly url: string; status: number }
}

/** Starts the service with its dispatcher, and a webhook for all records with the receiver kit behind it. */
async function start(t: TestContext): Promise<Started> {
  const handled: Handled[] = []
  const refusals: (Refusal | string)[] = []
  const handle = (handler: string) => (record: Handled['record']) =>
    void handled.push({ handler, record })
  const receive = receiver({
    secrets: secret,
    // The service of this test lives at another time.
    toleranceSeconds: 1e10,
    onError: (refusal) => refusals.push(refusal),
    RECEIVED: handle('RECEIVED'),
    SENT: handle('SENT'),
    WEBHOOK_DISABLED: handle('WEBHOOK_DISABLED'),
    WEBHOOK_RECOVERED: handle('WEBHOOK_RECOVERED'),
  })
  const all = await listen(
    t,
    nodeHandler(async (request) => {
      const response = await receive(request)
      if (response.status !== 204) refusals.push(`${response.status} ${response.body}`)
      return response
    }),
  )
  const gone = { url: '', status: 410 }
  gone.url = await listen(t, (_, response) => {
    response.statusCode = gone.status
    response.end('')
  })

  const guard = egressGuard(networks(['127.0.0.0/8']))
  const out = poster({ guard, lookup: systemLookup, clock: systemClock })
  t.after(() => out[Symbol.asyncDispose]())
  const api = await startApi(t, { post: out.post, send: accepts })
  const types = ['RECEIVED', 'SENT', ...alertTypes]
  const made = await api.put('/v1/webhooks/all', {
    url: all,
    secret,
    types,
    statuses: [...sentStatuses],
  })
  assert.equal(made.status, 200, made.text)
  const arrived = (what: string, holds: () => boolean): Promise<void> =>
    until(what, () => {
      assert.deepEqual(refusals, [])
      return holds()
    })
  return { api, handled, refusals, arrived, gone }
}

/** A provider that accepts every message. */
const accepts: SendHttp = async () => ({
  kind: 'ANSWERED',
  status: 200,
  retryAfterMs: null,
  body: Buffer.from('{"id":"p-1"}'),
  isWhole: true,
})

async function listen(t: TestContext, listener: Parameters<typeof createServer>[1]) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return `http://127.0.0.1:${port}`
}

/** Waits until the carrier that the test made takes messages. */
async function bound(api: TestApi): Promise<void> {
  for (let turn = 0; turn < 1000; turn += 1) {
    const { json } = await api.get('/v1/carriers?id_ne=carrier_simulator')
    if (json[0]?.state === 'BOUND') return
    await settle()
  }
  throw new Error('the carrier is not bound')
}

async function deliver(smsc: Smsc, fields: Partial<typeof plainBody>): Promise<void> {
  const body = { ...plainBody, ...fields }
  const answered = await smsc.sessions[0]?.request('deliver_sm', body, noTlvs)
  assert.equal(answered?.status, 0)
}

function messagesIn(handled: readonly Handled[]): readonly NotificationRecord[] {
  return handled.flatMap(({ record }) => ('status' in record ? [record] : []))
}

function typesIn(handled: readonly Handled[]): readonly string[] {
  return handled.map(({ record }) => record.type)
}

function statusOf(record: Handled['record']): string | null {
  return 'status' in record ? record.status.type : null
}

function statusesOf(id: string, handled: readonly Handled[]): readonly (string | null)[] {
  return handled.flatMap(({ record }) => (record.id === id ? [statusOf(record)] : []))
}

/** Asserts that the receiver accepted each record, and that each is as its declaration says. */
function assertSound(handled: readonly Handled[], refusals: readonly unknown[]): void {
  assert.deepEqual(refusals, [])
  for (const { handler, record } of handled) {
    const isAlert = alertTypes.includes(handler)
    const fields: Fields = isAlert ? alertFields : { id: { kind: 'text' }, ...recordFields }
    const names = isAlert ? Object.keys(alertFields) : recordNames
    assert.equal(record.type, handler)
    assert.deepEqual(Object.keys(record), names)
    const values: Readonly<Record<string, JsonValue>> = { ...record }
    const faulty = names.filter((name) => !holds(fields[name], values[name]))
    assert.deepEqual(faulty, [], JSON.stringify(record))
    if (isAlert) continue
    assert.ok('status' in record)
    const [type, detail = ''] = record.status.id.split('.')
    assert.equal(type, record.status.type)
    if (type === 'FAILED')
      assert.ok(
        failures.some((failure) => failure === detail),
        detail,
      )
  }
}

/** Returns true if a field can have a value in what the service sends. */
function holds(field: Field | undefined, value: JsonValue | undefined): boolean {
  if (field === undefined || value === undefined) return false
  if (value === null) return field.nullable === true
  switch (field.kind) {
    case 'text':
      return typeof value === 'string'
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'choice':
      return field.enum.some((each) => each === value)
    case 'timestamp':
      return typeof value === 'string' && new Date(value).toISOString() === value
    case 'object': {
      const { properties } = field
      return (
        isJsonObject(value) &&
        Object.keys(value).length === Object.keys(properties).length &&
        Object.keys(properties).every((name) => holds(properties[name], value[name]))
      )
    }
    default:
      throw new Error(`no record has had a field of the kind ${field.kind}: test it here`)
  }
}
