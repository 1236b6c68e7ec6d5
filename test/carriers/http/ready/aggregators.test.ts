import { createHmac, generateKeyPairSync, hash, sign } from 'node:crypto'
import { describe, it } from 'node:test'
import { decodeJwt, jwtVerify, SignJWT } from 'jose'
import { basic, followReady, form, json, jsonOf } from '../support/ready-carrier.ts'

const wrong = { status: 400, body: { error: 'not as described' } }
const token = 'callback-token'
const to = '447700900123'

describe('A ready declaration', () => {
  it('of Vonage SMS follows a message to its receipt, and brings a reply', async () => {
    await followReady('vonage-sms', {
      environment: () => ({
        VONAGE_API_KEY: 'abcd1234',
        VONAGE_API_SECRET: 'secret-1',
        VONAGE_CALLBACK_TOKEN: token,
      }),
      address: 'https://rest.nexmo.com',
      path: '/sms/json',
      answer: (request) => {
        const { api_key, api_secret, to: number, text, type, callback } = jsonOf(request)
        if (api_key !== 'abcd1234' || api_secret !== 'secret-1' || type !== 'text') return wrong
        if (number !== to || !String(callback).includes('?token=')) return wrong
        const status = text === 'barred' ? '7' : '0'
        const ids = status === '0' ? { 'message-id': `0A-${text}` } : { 'error-text': 'Barred' }
        return { status: 200, body: { 'message-count': '1', messages: [{ to, status, ...ids }] } }
      },
      refused: { body: 'barred', status: 'FAILED.BLOCKED', code: '7' },
      idOf: (_, text) => `0A-${text}`,
      token,
      onItsWay: [
        (messageId) => ({
          name: 'receipts',
          body: JSON.stringify({ messageId, status: 'buffered', 'err-code': '0' }),
        }),
        'SENT.BUFFERED',
      ],
      delivered: (id) => ({
        name: 'receipts',
        body: JSON.stringify({
          msisdn: to,
          to: 'Shop',
          messageId: id,
          status: 'delivered',
          'err-code': '0',
        }),
      }),
      failed: (id) => ({
        name: 'receipts',
        method: 'GET',
        query: `msisdn=${to}&messageId=${id}&status=failed&err-code=6`,
      }),
      failedStatus: 'FAILED.BLOCKED',
      failedCode: '6',
      incoming: {
        name: 'messages',
        method: 'GET',
        query: `msisdn=${to}&to=15005550006&messageId=0A9&text=Hello+world&type=text`,
      },
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello world' },
    })
  })

  it('of Vonage Messages follows a message to its receipt, and brings a reply', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
    const headers = async (body: string) => ({
      ...json(),
      authorization: `Bearer ${await new SignJWT({ payload_hash: hash('sha256', body) })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(Buffer.from('signature-secret'))}`,
    })
    const status = (more: object) => ({
      name: 'receipts',
      headers,
      body: JSON.stringify({ channel: 'sms', to, from: '15005550006', ...more }),
    })
    let tokens = 0
    await followReady('vonage-messages', {
      environment: () => ({
        VONAGE_APPLICATION_ID: 'app-1',
        VONAGE_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
        VONAGE_SIGNATURE_SECRET: 'signature-secret',
      }),
      address: 'https://api.nexmo.com',
      path: '/v1/messages',
      answer: (request) => {
        const bearer = request.headers.authorization?.replace('Bearer ', '') ?? ''
        void jwtVerify(bearer, publicKey).then(() => (tokens += 1))
        if (decodeJwt(bearer)['application_id'] !== 'app-1') return { status: 401 }
        const { message_type, channel, to: number, text } = jsonOf(request)
        if (message_type !== 'text' || channel !== 'sms' || number !== to) return wrong
        if (text === 'invalid') return { status: 422, body: { title: 'Invalid params' } }
        return { status: 202, body: { message_uuid: `uuid-${text}` } }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED', code: 'Invalid params' },
      idOf: (_, text) => `uuid-${text}`,
      onItsWay: [(id) => status({ message_uuid: id, status: 'submitted' }), 'SENT.SUBMITTED'],
      delivered: (id) => status({ message_uuid: id, status: 'delivered' }),
      failed: (id) => status({ message_uuid: id, status: 'rejected', error: { title: '1240' } }),
      failedStatus: 'FAILED.BLOCKED',
      failedCode: '1240',
      incoming: {
        name: 'messages',
        headers,
        body: JSON.stringify({
          channel: 'sms',
          message_uuid: 'in-1',
          message_type: 'text',
          from: to,
          to: '15005550006',
          text: 'Hello',
        }),
      },
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
    if (tokens === 0) throw new Error('no token was verified')
  })

  it('of Sinch follows a message to its receipt, and brings a reply', async () => {
    const report = (id: string, status: string, code: number) => ({
      name: 'events',
      body: JSON.stringify({
        type: 'recipient_delivery_report_sms',
        batch_id: id,
        recipient: to,
        status,
        code,
      }),
    })
    await followReady('sinch', {
      environment: () => ({
        SINCH_REGION: 'eu',
        SINCH_SERVICE_PLAN_ID: 'plan-1',
        SINCH_API_TOKEN: 'api-token',
        SINCH_CALLBACK_TOKEN: token,
      }),
      address: 'https://{{parameter.region}}.sms.api.sinch.com',
      path: '/xms/v1/plan-1/batches',
      answer: (request) => {
        if (request.headers.authorization !== 'Bearer api-token') return { status: 401 }
        if (request.method === 'GET') return { status: 200 }
        const { to: numbers, body, delivery_report } = jsonOf(request)
        if (numbers[0] !== to || delivery_report !== 'per_recipient') return wrong
        if (body === 'invalid') return { status: 400, body: { code: 'syntax_invalid_json' } }
        return { status: 201, body: { id: `batch-${body}`, to: numbers } }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED', code: 'syntax_invalid_json' },
      idOf: (_, text) => `batch-${text}`,
      token,
      onItsWay: [(id) => report(id, 'Dispatched', 401), 'SENT.DISPATCHED'],
      delivered: (id) => report(id, 'Delivered', 0),
      failed: (id) => report(id, 'Expired', 406),
      failedStatus: 'FAILED.EXPIRED',
      failedCode: '406',
      incoming: {
        name: 'events',
        body: JSON.stringify({
          type: 'mo_text',
          id: 'mo1',
          from: to,
          to: '15005550006',
          body: 'Hello',
        }),
      },
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of Bird follows a message to its receipt, and brings a reply', async () => {
    const headers = (body: string, url: string) => ({
      ...json(),
      'messagebird-request-timestamp': '1719823259',
      'messagebird-signature': createHmac('sha256', 'signing-key')
        .update(`1719823259\n${url}\n`)
        .update(hash('sha256', body, 'buffer'))
        .digest('base64'),
    })
    const event = (name: string, payload: object) => ({
      name: 'events',
      headers,
      body: JSON.stringify({ service: 'channels', event: name, payload }),
    })
    await followReady('bird', {
      environment: () => ({
        BIRD_WORKSPACE_ID: 'w1',
        BIRD_CHANNEL_ID: 'c1',
        BIRD_NUMBER: '+15005550006',
        BIRD_ACCESS_KEY: 'access-key',
        BIRD_SIGNING_KEY: 'signing-key',
      }),
      address: 'https://api.bird.com',
      path: '/workspaces/w1/channels/c1/messages',
      answer: (request) => {
        if (request.headers.authorization !== 'AccessKey access-key') return { status: 401 }
        const { receiver, body } = jsonOf(request)
        if (receiver.contacts[0].identifierValue !== `+${to}` || body.type !== 'text') return wrong
        if (body.text.text === 'invalid') return { status: 422, body: { code: 'InvalidPayload' } }
        return { status: 202, body: { id: `bird-${body.text.text}`, status: 'accepted' } }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED', code: 'InvalidPayload' },
      idOf: (_, text) => `bird-${text}`,
      onItsWay: [(id) => event('sms.outbound', { id, status: 'processing' }), 'SENT.PROCESSING'],
      delivered: (id) => event('sms.outbound', { id, status: 'delivered' }),
      failed: (id) =>
        event('sms.outbound', { id, status: 'delivery_failed', failure: { code: 7 } }),
      failedStatus: 'FAILED.UNDELIVERABLE',
      failedCode: '7',
      incoming: event('sms.inbound', {
        id: 'in-1',
        sender: { contact: { identifierKey: 'phonenumber', identifierValue: `+${to}` } },
        body: { type: 'text', text: { text: 'Hello' } },
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of Plivo follows a message to its receipt, and brings a reply', async () => {
    const headers = (_: string, url: string) => ({
      ...form(),
      'x-plivo-signature-v2-nonce': '05429567804466091622',
      'x-plivo-signature-v2': createHmac('sha256', 'auth-token')
        .update(`${url.split('?', 1)[0]}05429567804466091622`)
        .digest('base64'),
    })
    const call = (name: string, fields: Record<string, string>) => ({
      name,
      headers,
      body: new URLSearchParams(fields).toString(),
    })
    await followReady('plivo', {
      environment: () => ({
        PLIVO_AUTH_ID: 'MA1',
        PLIVO_AUTH_TOKEN: 'auth-token',
        PLIVO_CALLBACK_TOKEN: token,
      }),
      address: 'https://api.plivo.com',
      path: '/v1/Account/MA1/Message/',
      answer: (request) => {
        if (request.headers.authorization !== basic('MA1', 'auth-token')) return { status: 401 }
        const { src, dst, text, method } = jsonOf(request)
        if (src !== '15005550006' || dst !== to || method !== 'POST') return wrong
        if (text === 'invalid') return wrong
        return { status: 202, body: { message_uuid: [`uuid-${text}`], api_id: 'a' } }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED' },
      idOf: (_, text) => `uuid-${text}`,
      token,
      onItsWay: [
        (id) => call('receipts', { MessageUUID: id, Status: 'queued', To: to }),
        'SENT.QUEUED',
      ],
      delivered: (id) => call('receipts', { MessageUUID: id, Status: 'delivered', To: to }),
      failed: (id) =>
        call('receipts', { MessageUUID: id, Status: 'undelivered', ErrorCode: '200' }),
      failedStatus: 'FAILED.BLOCKED',
      failedCode: '200',
      incoming: call('messages', {
        MessageUUID: 'in-1',
        From: to,
        To: '15005550006',
        Text: 'Hello',
        Type: 'sms',
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
      responseText: '<Response/>',
    })
  })

  it('of Telnyx follows a message to its receipt, and brings a reply', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32)
    const headers = (body: string) => ({
      ...json(),
      'telnyx-timestamp': '1719823259',
      'telnyx-signature-ed25519': sign(
        null,
        Buffer.from(`1719823259|${body}`),
        privateKey,
      ).toString('base64'),
    })
    const event = (event_type: string, payload: object) => ({
      name: 'events',
      headers,
      body: JSON.stringify({ data: { record_type: 'event', event_type, id: 'e1', payload } }),
    })
    await followReady('telnyx', {
      environment: () => ({
        TELNYX_PUBLIC_KEY: raw.toString('base64'),
        TELNYX_API_KEY: 'api-key',
      }),
      address: 'https://api.telnyx.com',
      path: '/v2/messages',
      answer: (request) => {
        if (request.headers.authorization !== 'Bearer api-key') return { status: 401 }
        const { from, to: number, text } = jsonOf(request)
        if (from !== '+15005550006' || number !== `+${to}`) return wrong
        if (text === 'stopped') return { status: 400, body: { errors: [{ code: '40300' }] } }
        return { status: 200, body: { data: { id: `id-${text}`, record_type: 'message' } } }
      },
      refused: { body: 'stopped', status: 'FAILED.BLOCKED', code: '40300' },
      idOf: (_, text) => `id-${text}`,
      onItsWay: [
        (id) => event('message.sent', { id, to: [{ status: 'sent' }], errors: [] }),
        'SENT.SENT',
      ],
      delivered: (id) =>
        event('message.finalized', { id, to: [{ status: 'delivered' }], errors: [] }),
      failed: (id) =>
        event('message.finalized', {
          id,
          to: [{ status: 'delivery_failed' }],
          errors: [{ code: '40002' }],
        }),
      failedStatus: 'FAILED.BLOCKED',
      failedCode: '40002',
      incoming: event('message.received', {
        id: 'in-1',
        from: { phone_number: `+${to}` },
        to: [{ phone_number: '+15005550006', status: 'webhook_delivered' }],
        text: 'Hello',
        parts: 1,
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })
})
