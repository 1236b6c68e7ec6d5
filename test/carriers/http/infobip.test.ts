import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startProvider, type Provider, type SeenRequest } from './support/provider.ts'
import { serveExample } from './support/served.ts'

const environment = (host: string) => ({
  INFOBIP_HOST: host,
  INFOBIP_API_KEY: 'key-of-the-test',
  INFOBIP_CALLBACK_TOKEN: 'token-of-the-test',
})

/** Answers as Infobip's SMS API (version 3) does: 200, and the state of each message in the body. */
function infobip({ path, headers, body }: SeenRequest) {
  if (headers.authorization !== 'App key-of-the-test') return { status: 401 }
  if (path !== '/sms/3/messages') return { status: 404 }
  const messages: Message[] = JSON.parse(body).messages
  return {
    status: 200,
    body: { bulkId: '2034072219640523072', messages: messages.map(resultOf) },
  }
}

interface Message {
  readonly sender: string
  readonly destinations: readonly { readonly to: string }[]
  readonly content: { readonly text: string }
  readonly webhooks: { readonly delivery: { readonly url: string } }
}

function resultOf({ destinations, content }: Message) {
  const to = destinations[0]?.to
  return {
    messageId: `infobip-${content.text}`,
    destination: to,
    status:
      to === '447700900666'
        ? { groupId: 5, groupName: 'REJECTED', id: 12, name: 'REJECTED_NOT_ENOUGH_CREDITS' }
        : { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED' },
    details: { messageCount: 1 },
  }
}

/** The first message that was sent. The balance is asked for before. */
function firstMessage({ seen }: Provider): Message {
  const request = seen.find(({ method }) => method === 'POST')
  const [message] = JSON.parse(request?.body ?? '').messages
  return message
}

const report = (
  messageId: string,
  groupName: string,
  errorGroup = 'OK',
  name = `${groupName}_SOMEHOW`,
) => ({
  bulkId: '2034072219640523072',
  messageId,
  to: '447700900123',
  sender: 'Shop',
  sentAt: '2026-01-31T12:00:00.000+0000',
  doneAt: '2026-01-31T12:00:01.000+0000',
  messageCount: 1,
  mccMnc: '23410',
  status: { groupId: 3, groupName, id: 5, name },
  error: { groupId: 0, groupName: errorGroup, id: 0, name: 'NO_ERROR', permanent: false },
})

async function callBack(url: string, results: readonly unknown[]) {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ results }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe('Infobip, as the example declares it', () => {
  it('takes messages, and tells in one batch what became of them', async () => {
    await using provider = await startProvider(infobip)
    await using service = await serveExample('infobip', environment(provider.host), [
      'https://{{parameter.host}}',
      'http://{{parameter.host}}',
    ])
    const send = (to: string, body: string) =>
      service.post('/v1/messages', { from: 'Shop', to, body })

    const sent = [
      await send('+447700900123', '1'),
      await send('+447700900123', '2'),
      await send('+447700900666', '3'),
    ]
    for (const { id } of sent) {
      await service.until(`/v1/messages/${id}`, ({ status }) => status.type !== 'ACCEPTED')
    }
    const message = firstMessage(provider)
    const { status } = await callBack(message.webhooks.delivery.url, [
      report('infobip-1', 'DELIVERED'),
      report('infobip-2', 'UNDELIVERABLE', 'HANDSET_ERRORS'),
    ])

    const ended = await Promise.all(sent.map(({ id }) => service.get(`/v1/messages/${id}`)))
    assert.equal(status, 200)
    assert.equal(
      message.webhooks.delivery.url,
      `${service.url}/v1/carriers/infobip/callbacks/receipts?token=token-of-the-test`,
    )
    assert.deepEqual([message.sender, message.destinations], ['Shop', [{ to: '447700900123' }]])
    assert.deepEqual(
      ended.map((each) => each.status.id),
      ['DELIVERED.null', 'FAILED.HANDSET_ERROR', 'FAILED.REJECTED'],
    )
  })

  it('is with the operator before it is on the handset', async () => {
    await using provider = await startProvider(infobip)
    await using service = await serveExample('infobip', environment(provider.host), [
      'https://{{parameter.host}}',
      'http://{{parameter.host}}',
    ])
    const sent = await service.post('/v1/messages', {
      from: 'Shop',
      to: '+447700900123',
      body: '1',
    })
    await service.until(`/v1/messages/${sent.id}`, ({ status }) => status.type !== 'ACCEPTED')
    const message = firstMessage(provider)
    const tell = (name: string) =>
      callBack(message.webhooks.delivery.url, [report('infobip-1', 'DELIVERED', 'OK', name)])

    const { status } = await tell('DELIVERED_TO_OPERATOR')
    const between = await service.get(`/v1/messages/${sent.id}`)
    await tell('DELIVERED_TO_HANDSET')

    const ended = await service.get(`/v1/messages/${sent.id}`)
    assert.equal(status, 200)
    assert.deepEqual([between.status.id, ended.status.id], ['SENT.null', 'DELIVERED.null'])
    assert.deepEqual(
      ended.history.map((entry: { status: string }) => entry.status),
      ['ACCEPTED.null', 'SENT.null', 'SENT.DELIVERED_TO_OPERATOR', 'DELIVERED.null'],
    )
  })

  it('brings several messages in one batch, with numbers in international form', async () => {
    await using provider = await startProvider(infobip)
    await using service = await serveExample('infobip', environment(provider.host), [
      'https://{{parameter.host}}',
      'http://{{parameter.host}}',
    ])
    const url = `${service.url}/v1/carriers/infobip/callbacks/messages`
    const item = (messageId: string, text: string) => ({
      messageId,
      from: '385916242493',
      to: '385921004026',
      text,
      cleanText: text,
      keyword: '',
      receivedAt: '2026-01-31T12:00:00.000+0000',
      smsCount: 1,
    })

    const forged = await callBack(url, [item('a', 'hello')])
    const told = await callBack(`${url}?token=token-of-the-test`, [
      item('a', 'hello'),
      item('b', '你好'),
    ])

    const received = await service.get('/v1/messages?type=RECEIVED&sort=id_asc')
    assert.deepEqual([forged.status, told.status], [401, 200])
    assert.deepEqual(
      received.map((each: { from: string; to: string; body: string }) => [
        each.from,
        each.to,
        each.body,
      ]),
      [
        ['+385916242493', '+385921004026', 'hello'],
        ['+385916242493', '+385921004026', '你好'],
      ],
    )
  })
})
