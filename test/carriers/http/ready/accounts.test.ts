import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { basic, followReady, jsonOf } from '../support/ready-carrier.ts'

const wrong = { status: 400, body: { error: 'not as described' } }
const token = 'callback-token'
const to = '447700900123'

describe('A ready declaration', () => {
  it('of Clickatell follows a message to its receipt, and brings a reply', async () => {
    const status = (messageId: string, name: string, statusCode: number) => ({
      name: 'receipts',
      body: JSON.stringify({
        event: { messageStatusUpdate: [{ messageId, status: name, statusCode }] },
      }),
    })
    await followReady('clickatell', {
      environment: () => ({ CLICKATELL_API_KEY: 'api-key', CLICKATELL_CALLBACK_TOKEN: token }),
      address: 'https://platform.clickatell.com',
      path: '/v1/message',
      answer: (request) => {
        if (request.headers.authorization !== 'api-key') return { status: 401 }
        const messages: { channel: string; to: string; content: string }[] =
          jsonOf(request).messages
        if (messages.some((each) => each.channel !== 'sms' || each.to !== to)) return wrong
        return {
          status: 202,
          body: {
            messages: messages.map(({ content }) =>
              content === 'invalid'
                ? { apiMessageId: null, accepted: false, to, error: { code: 105 } }
                : { apiMessageId: `api-${content}`, accepted: true, to, error: null },
            ),
          },
        }
      },
      refused: { body: 'invalid', status: 'FAILED.UNDELIVERABLE', code: '105' },
      idOf: (_, text) => `api-${text}`,
      token,
      onItsWay: [(id) => status(id, 'SENT_TO_SUPPLIER', 3), 'SENT.SENT_TO_SUPPLIER'],
      delivered: (id) => status(id, 'RECEIVED_BY_RECIPIENT', 4),
      failed: (id) => status(id, 'EXPIRED', 10),
      failedStatus: 'FAILED.EXPIRED',
      failedCode: '10',
      incoming: {
        name: 'messages',
        body: JSON.stringify({
          event: {
            moText: [
              { channel: 'sms', messageId: 'in', from: to, to: '15005550006', content: 'Hello' },
            ],
          },
        }),
      },
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of BulkSMS follows a message to its receipt, and brings a reply', async () => {
    const events = (...messages: object[]) => ({ name: 'events', body: JSON.stringify(messages) })
    await followReady('bulksms', {
      environment: () => ({
        BULKSMS_TOKEN_ID: 'token-id',
        BULKSMS_TOKEN_SECRET: 'token-secret',
        BULKSMS_CALLBACK_TOKEN: token,
      }),
      address: 'https://api.bulksms.com',
      path: '/v1/messages',
      answer: (request) => {
        if (request.headers.authorization !== basic('token-id', 'token-secret'))
          return { status: 401 }
        const { to: number, from, body, encoding, longMessageMaxParts } = jsonOf(request)
        if (number !== `+${to}` || from !== '+15005550006' || encoding !== 'TEXT') return wrong
        if (longMessageMaxParts !== 1) return wrong
        if (body === 'invalid') return { status: 400, body: { title: 'Bad Request', status: 400 } }
        return {
          status: 201,
          body: [
            { id: `bulk-${body}`, type: 'SENT', status: { id: 'ACCEPTED.null', type: 'ACCEPTED' } },
          ],
        }
      },
      refused: { body: 'invalid', status: 'FAILED.REJECTED', code: 'Bad Request' },
      idOf: (_, text) => `bulk-${text}`,
      token,
      onItsWay: [
        (id) => events({ id, type: 'SENT', status: { id: 'SENT.null', type: 'SENT' } }),
        'SENT.SENT_NULL',
      ],
      delivered: (id) =>
        events({ id, type: 'SENT', status: { id: 'DELIVERED.null', type: 'DELIVERED' } }),
      failed: (id) =>
        events({
          id,
          type: 'SENT',
          status: { id: 'FAILED.HANDSET_ERROR', type: 'FAILED', subtype: 'HANDSET_ERROR' },
        }),
      failedStatus: 'FAILED.HANDSET_ERROR',
      failedCode: 'HANDSET_ERROR',
      incoming: events({
        id: 'in-1',
        type: 'RECEIVED',
        from: to,
        to: '15005550006',
        body: 'Hello',
        numberOfParts: 1,
        status: { id: 'RECEIVED.null', type: 'RECEIVED' },
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of AWS follows a message to its receipt, and brings a reply', async () => {
    const event = (body: object) => ({
      name: 'events',
      headers: () => ({ 'content-type': 'text/plain; charset=UTF-8' }),
      body: JSON.stringify(body),
    })
    await followReady('aws', {
      environment: () => ({
        AWS_REGION: 'eu-west-1',
        AWS_CONFIGURATION_SET: 'set-1',
        AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI',
        AWS_CALLBACK_TOKEN: token,
      }),
      address: 'https://sms-voice.{{parameter.region}}.amazonaws.com',
      path: '/',
      answer: (request) => {
        const { authorization = '', 'x-amz-target': target, 'content-type': type } = request.headers
        if (!authorization.startsWith('AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/')) return wrong
        if (!authorization.includes('/eu-west-1/sms-voice/aws4_request')) return wrong
        if (target !== 'PinpointSMSVoiceV2.SendTextMessage') return wrong
        if (type !== 'application/x-amz-json-1.0') return wrong
        const { DestinationPhoneNumber, MessageBody, ConfigurationSetName } = jsonOf(request)
        if (DestinationPhoneNumber !== `+${to}` || ConfigurationSetName !== 'set-1') return wrong
        if (MessageBody === 'stopped') {
          const Reason = 'DESTINATION_PHONE_NUMBER_OPTED_OUT'
          return { status: 400, body: { __type: 'ConflictException', Reason } }
        }
        return { status: 200, body: { MessageId: `aws-${MessageBody}` } }
      },
      refused: {
        body: 'stopped',
        status: 'FAILED.BLOCKED',
        code: 'DESTINATION_PHONE_NUMBER_OPTED_OUT',
      },
      idOf: (_, text) => `aws-${text}`,
      token,
      onItsWay: [
        (id) => event({ eventType: 'TEXT_QUEUED', messageId: id, messageStatus: 'QUEUED' }),
        'SENT.TEXT_QUEUED',
      ],
      delivered: (id) =>
        event({ eventType: 'TEXT_DELIVERED', messageId: id, messageStatus: 'DELIVERED' }),
      failed: (id) =>
        event({
          eventType: 'TEXT_CARRIER_BLOCKED',
          messageId: id,
          messageStatus: 'CARRIER_BLOCKED',
        }),
      failedStatus: 'FAILED.BLOCKED',
      failedCode: 'CARRIER_BLOCKED',
      incoming: event({
        originationNumber: `+${to}`,
        destinationNumber: '+15005550006',
        messageKeyword: 'KEYWORD_1',
        messageBody: 'Hello',
        inboundMessageId: 'in-1',
        previousPublishedMessageId: 'x',
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })

  it('of WhatsApp follows a message to its receipt, and brings a reply', async () => {
    const headers = (body: string) => ({
      'content-type': 'application/json',
      'x-hub-signature-256': `sha256=${createHmac('sha256', 'app-secret').update(body).digest('hex')}`,
    })
    const metadata = { display_phone_number: '15005550006', phone_number_id: '106540352242922' }
    const event = (value: object) => ({
      name: 'events',
      headers,
      body: JSON.stringify({
        object: 'whatsapp_business_account',
        entry: [{ id: '1', changes: [{ field: 'messages', value: { metadata, ...value } }] }],
      }),
    })
    await followReady('whatsapp', {
      environment: () => ({
        WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
        WHATSAPP_TEMPLATE: 'notice',
        WHATSAPP_TEMPLATE_LANGUAGE: 'en_US',
        WHATSAPP_ACCESS_TOKEN: 'access-token',
        WHATSAPP_APP_SECRET: 'app-secret',
        WHATSAPP_CALLBACK_TOKEN: 'verify-token',
      }),
      address: 'https://graph.facebook.com',
      path: '/v21.0/106540352242922/messages',
      answer: (request) => {
        if (request.headers.authorization !== 'Bearer access-token') return { status: 401 }
        const { messaging_product, to: number, type, text } = jsonOf(request)
        if (messaging_product !== 'whatsapp' || number !== to || type !== 'text') return wrong
        if (text.body === 'nobody') return { status: 400, body: { error: { code: 131026 } } }
        return { status: 200, body: { messages: [{ id: `wamid.${text.body}` }] } }
      },
      refused: { body: 'nobody', status: 'FAILED.UNDELIVERABLE', code: '131026' },
      idOf: (_, text) => `wamid.${text}`,
      onItsWay: [
        (id) => event({ statuses: [{ id, status: 'sent', recipient_id: to }] }),
        'SENT.SENT',
      ],
      delivered: (id) => event({ statuses: [{ id, status: 'delivered', recipient_id: to }] }),
      failed: (id) =>
        event({
          statuses: [{ id, status: 'failed', recipient_id: to, errors: [{ code: 131049 }] }],
        }),
      failedStatus: 'FAILED.BLOCKED',
      failedCode: '131049',
      incoming: event({
        messages: [
          { from: to, id: 'wamid.in', type: 'text', text: { body: 'Hello' } },
          { from: to, id: 'wamid.in2', type: 'image', image: { id: '5' } },
        ],
      }),
      received: { from: `+${to}`, to: '+15005550006', body: 'Hello' },
    })
  })
})
