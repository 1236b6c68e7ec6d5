import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { SignJWT } from 'jose'
import { basic, followReady, form, json, jsonOf } from '../support/ready-carrier.ts'

const wrong = { status: 400, body: 'Error "not as described"' }
const token = 'callback-token'
const to = '447700900123'

describe('A ready declaration', () => {
  it('of an Android phone follows a message to its receipt, and brings a reply', async () => {
    const headers = (body: string) => ({
      ...json(),
      'x-timestamp': '1719823259',
      'x-signature': createHmac('sha256', 'signing-key').update(`${body}1719823259`).digest('hex'),
    })
    const event = (name: string, payload: object) => ({
      name: 'events',
      headers,
      body: JSON.stringify({
        deviceId: 'd1',
        event: name,
        id: `e-${name}`,
        webhookId: 'w1',
        payload,
      }),
    })
    await followReady('android-sms-gateway', {
      environment: () => ({
        ANDROID_HOST: 'api.sms-gate.app',
        ANDROID_NUMBER: '+15005550006',
        ANDROID_USERNAME: 'user',
        ANDROID_PASSWORD: 'password',
        ANDROID_SIGNING_KEY: 'signing-key',
      }),
      address: 'https://{{parameter.host}}',
      path: '/3rdparty/v1/messages',
      answer: (request) => {
        if (request.headers.authorization !== basic('user', 'password')) return { status: 401 }
        const { id, textMessage, phoneNumbers, withDeliveryReport } = jsonOf(request)
        if (phoneNumbers[0] !== `+${to}` || withDeliveryReport !== true) return wrong
        if (id.length > 36 || textMessage.text === 'invalid') return wrong
        return { status: 202, body: { id, state: 'Pending' } }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED' },
      idOf: (request) => jsonOf(request).id,
      onItsWay: [(messageId) => event('sms:sent', { messageId }), 'SENT.SMS_SENT'],
      delivered: (messageId) => event('sms:delivered', { messageId, recipient: `+${to}` }),
      failed: (messageId) =>
        event('sms:failed', { messageId, reason: 'Can’t send: RESULT_ERROR_NO_SERVICE' }),
      failedStatus: 'FAILED.UNDELIVERABLE',
      failedCode: 'RESULT_ERROR_NO_SERVICE',
      incoming: event('sms:received', {
        messageId: 'in-1',
        sender: `+${to}`,
        recipient: null,
        message: 'Hello',
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of httpSMS follows a message to its receipt, and brings a reply', async () => {
    const headers = async () => ({
      ...json(),
      authorization: `Bearer ${await new SignJWT({ iss: 'api.httpsms.com' })
        .setProtectedHeader({ alg: 'HS256' })
        .setExpirationTime('10m')
        .sign(Buffer.from('signing-key'))}`,
    })
    const event = (type: string, data: object) => ({
      name: 'events',
      headers,
      body: JSON.stringify({ specversion: '1.0', id: 'e1', source: '/v1', type, data }),
    })
    await followReady('httpsms', {
      environment: () => ({ HTTPSMS_API_KEY: 'api-key', HTTPSMS_SIGNING_KEY: 'signing-key' }),
      address: 'https://api.httpsms.com',
      path: '/v1/messages/send',
      answer: (request) => {
        if (request.headers['x-api-key'] !== 'api-key') return { status: 401 }
        const { from, to: number, content } = jsonOf(request)
        if (from !== '+15005550006' || number !== `+${to}`) return wrong
        if (content === 'invalid') return { status: 422, body: { status: 'error' } }
        return { status: 200, body: { status: 'success', data: { id: `id-${content}` } } }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED' },
      idOf: (_, text) => `id-${text}`,
      onItsWay: [(id) => event('message.phone.sent', { id }), 'SENT.MESSAGE_PHONE_SENT'],
      delivered: (id) => event('message.phone.delivered', { id, contact: `+${to}` }),
      failed: (id) => event('message.send.expired', { message_id: id, is_final: true }),
      failedStatus: 'FAILED.EXPIRED',
      failedCode: null,
      incoming: event('message.phone.received', {
        message_id: 'in-1',
        contact: `+${to}`,
        owner: '+15005550006',
        content: 'Hello',
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of Jasmin follows a message to its receipt, and brings a reply', async () => {
    const call = (name: string, fields: Record<string, string>) => ({
      name,
      headers: form,
      body: new URLSearchParams(fields).toString(),
    })
    await followReady('jasmin', {
      environment: ({ host }) => ({
        JASMIN_HOST: host,
        JASMIN_USERNAME: 'foo',
        JASMIN_PASSWORD: 'bar',
        JASMIN_CALLBACK_TOKEN: token,
      }),
      address: null,
      path: '/send',
      answer: ({ body }) => {
        const fields = Object.fromEntries(new URLSearchParams(body))
        const { username, password, coding, content, 'dlr-level': level } = fields
        if (username !== 'foo' || password !== 'bar') return { status: 403 }
        if (coding !== '0' || level !== '3' || 'hex-content' in fields) return wrong
        if (content === 'nowhere') return { status: 412, body: 'Error "No route found"' }
        return { status: 200, body: `Success "0703-${content}"` }
      },
      refused: { body: 'nowhere', status: 'FAILED.UNDELIVERABLE', code: 'No route found' },
      idOf: (_, text) => `0703-${text}`,
      token,
      onItsWay: [
        (id) => call('receipts', { id, message_status: 'ESME_ROK', level: '1' }),
        'SENT.ESME_ROK',
      ],
      delivered: (id) =>
        call('receipts', { id, message_status: 'DELIVRD', level: '2', err: '000' }),
      failed: (id) => call('receipts', { id, message_status: 'EXPIRED', level: '2', err: '027' }),
      failedStatus: 'FAILED.EXPIRED',
      failedCode: '027',
      incoming: call('messages', {
        id: 'in-1',
        from: to,
        to: '15005550006',
        'origin-connector': 'c1',
        content: 'Hello',
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
      responseText: 'ACK/Jasmin',
    })
  })

  it('of Kannel follows a message to its receipt, and brings a reply', async () => {
    const receipt = (id: string, status: number, answer: string) => ({
      name: 'receipts',
      method: 'GET' as const,
      query: `id=${id}&status=${status}&answer=${encodeURIComponent(answer)}`,
    })
    const reportUrl = (path: string) =>
      new URL(new URL(path, 'http://x').searchParams.get('dlr-url') ?? 'http://x')
    await followReady('kannel', {
      environment: ({ host }) => ({
        KANNEL_HOST: host,
        KANNEL_USERNAME: 'tester',
        KANNEL_PASSWORD: 'foobar',
        KANNEL_CALLBACK_TOKEN: token,
      }),
      address: null,
      path: '/cgi-bin/sendsms',
      answer: ({ method, path }) => {
        const query = new URL(path, 'http://x').searchParams
        if (query.get('username') !== 'tester' || query.get('password') !== 'foobar') {
          return { status: 403, body: 'Authorization failed for sendsms' }
        }
        if (method !== 'GET' || query.get('to') !== `+${to}`) return wrong
        if (query.get('coding') !== '0' || query.get('dlr-mask') !== '31') return wrong
        if (!reportUrl(path).search.endsWith('&status=%d&answer=%A')) return wrong
        if (query.get('text') === 'invalid') return { status: 400, body: 'Invalid' }
        return { status: 202, body: '0: Accepted for delivery' }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED' },
      idOf: ({ path }) => reportUrl(path).searchParams.get('id') ?? '',
      token,
      onItsWay: [(id) => receipt(id, 8, 'ACK/'), 'SENT.8'],
      delivered: (id) => receipt(id, 1, 'id:7 sub:001 dlvrd:001 stat:DELIVRD err:000'),
      failed: (id) => receipt(id, 16, 'NACK/11/Invalid Destination Address'),
      failedStatus: 'FAILED.REJECTED',
      failedCode: '11',
      incoming: {
        name: 'messages',
        method: 'GET',
        query: `id=in-1&from=%2B${to}&to=15005550006&text=Hello`,
      },
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })
})
