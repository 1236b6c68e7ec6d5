import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, it } from 'node:test'
import { recordNames } from '../../../src/collections/messages.ts'
import { startProvider, type SeenRequest } from './support/provider.ts'
import { serveExample } from './support/served.ts'

const accountSid = 'AC00000000000000000000000000000001'
const authToken = '12345678901234567890123456789012'
const environment = { TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken }

/** Answers as Twilio's Messages API does: 201 with the message, or 400 with a code of its own. */
function twilio({ path, headers, body }: SeenRequest) {
  const credentials = Buffer.from(`${accountSid}:${authToken}`).toString('base64')
  if (headers.authorization !== `Basic ${credentials}`)
    return { status: 401, body: { code: 20003 } }
  if (path !== `/2010-04-01/Accounts/${accountSid}/Messages.json`) return { status: 404 }
  const form = new URLSearchParams(body)
  if (form.get('To') === '+15005550001') {
    return {
      status: 400,
      body: { code: 21211, message: "The 'To' number is not valid", status: 400 },
    }
  }
  return {
    status: 201,
    body: { sid: sidOf(form), status: 'queued', num_segments: '1', error_code: null },
  }
}

const sidOf = (form: URLSearchParams) => `SM${form.get('Body')}`

/** Calls back as Twilio does: a form, signed with HMAC-SHA1 over the URL and the sorted fields. */
async function callBack(url: string, fields: Readonly<Record<string, string>>, token = authToken) {
  const signed = Object.keys(fields)
    .toSorted()
    .reduce((text, name) => text + name + fields[name], url)
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': createHmac('sha1', token).update(signed).digest('base64'),
    },
    body: new URLSearchParams(fields),
  })
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    text: await answer.text(),
  }
}

describe('Twilio, as the example declares it', () => {
  it('takes a message, and tells that it was delivered', async () => {
    await using provider = await startProvider(twilio)
    await using service = await serveExample('twilio', environment, [
      'https://api.twilio.com',
      provider.url,
    ])

    const sent = await service.post('/v1/messages', {
      from: '+15005550006',
      to: '+447700900123',
      body: '100',
    })
    await service.until(`/v1/messages/${sent.id}`, ({ status }) => status.type === 'SENT')
    const form = new URLSearchParams(provider.seen.find(({ method }) => method === 'POST')?.body)
    const statusCallback = form.get('StatusCallback') ?? ''
    const told = {
      MessageSid: 'SM100',
      SmsSid: 'SM100',
      AccountSid: accountSid,
      To: '+447700900123',
    }
    const onItsWay = await callBack(statusCallback, { ...told, MessageStatus: 'sent' })
    const delivered = await callBack(statusCallback, { ...told, MessageStatus: 'delivered' })

    const { history } = await service.get(`/v1/messages/${sent.id}`)
    const notifications = await service.get('/v1/notifications')
    assert.deepEqual(
      history.map((entry: { status: string }) => entry.status),
      ['ACCEPTED.null', 'SENT.null', 'SENT.SENT', 'DELIVERED.null'],
    )
    assert.equal(statusCallback, `${service.url}/v1/carriers/twilio/callbacks/receipts`)
    assert.deepEqual(
      [form.get('From'), form.get('To'), form.get('Body')],
      ['+15005550006', '+447700900123', '100'],
    )
    assert.deepEqual([onItsWay.status, delivered.status], [200, 200])
    assert.deepEqual([delivered.type, delivered.text], ['text/xml', '<Response/>'])
    assert.deepEqual(
      notifications.map((each: { id: string; status: { id: string } }) => [
        each.id,
        each.status.id,
      ]),
      [[sent.id, 'DELIVERED.null']],
    )
  })

  it('is told why a message failed, before and after it was taken', async () => {
    await using provider = await startProvider(twilio)
    await using service = await serveExample('twilio', environment, [
      'https://api.twilio.com',
      provider.url,
    ])

    const refused = await service.post('/v1/messages', { to: '+15005550001', body: '1' })
    const blocked = await service.post('/v1/messages', { to: '+447700900123', body: '2' })
    await service.until(`/v1/messages/${blocked.id}`, ({ status }) => status.type === 'SENT')
    await callBack(`${service.url}/v1/carriers/twilio/callbacks/receipts`, {
      MessageSid: 'SM2',
      MessageStatus: 'undelivered',
      ErrorCode: '30004',
    })

    const first = await service.until(
      `/v1/messages/${refused.id}`,
      ({ status }) => status.type === 'FAILED',
    )
    const second = await service.get(`/v1/messages/${blocked.id}`)
    const listed = await service.get('/v1/messages?networkCode=30004&fields=id')
    const records = await service.get('/v1/notifications')
    const codes = [first, second].map(({ status, networkCode, history }) => {
      return [status.id, networkCode, history.at(-1).code]
    })
    assert.deepEqual(codes, [
      ['FAILED.UNDELIVERABLE', '21211', '21211'],
      ['FAILED.BLOCKED', '30004', '30004'],
    ])
    assert.deepEqual(listed, [{ id: blocked.id }])
    assert.deepEqual(
      records.map((record: object) => Object.keys(record)),
      [recordNames, recordNames],
    )
  })

  it('brings a message once, however often it calls', async () => {
    await using provider = await startProvider(twilio)
    await using service = await serveExample('twilio', environment, [
      'https://api.twilio.com',
      provider.url,
    ])
    const url = `${service.url}/v1/carriers/twilio/callbacks/messages`
    const fields = {
      MessageSid: 'SM9',
      AccountSid: accountSid,
      From: '+447700900123',
      To: '+15005550006',
      Body: 'Grüße & mehr + 😀',
      NumSegments: '1',
      NumMedia: '0',
    }

    const first = await callBack(url, fields)
    const again = await callBack(url, fields)

    const received = await service.get('/v1/messages?type=RECEIVED')
    assert.deepEqual([first.status, again.status, received.length], [200, 200, 1])
    assert.deepEqual(
      [received[0].from, received[0].to, received[0].body, received[0].status.id],
      ['+447700900123', '+15005550006', fields.Body, 'RECEIVED.null'],
    )
  })

  it('is known by its signature alone, and its secrets are shown nowhere', async () => {
    await using provider = await startProvider(twilio)
    await using service = await serveExample('twilio', environment, [
      'https://api.twilio.com',
      provider.url,
    ])
    const url = `${service.url}/v1/carriers/twilio/callbacks/messages`
    const fields = { MessageSid: 'SM9', From: '+447700900123', To: '+15005550006', Body: 'hello' }

    const forged = await callBack(url, fields, 'another token')
    const elsewhere = await callBack(`${service.url}/v1/carriers/none/callbacks/messages`, fields)

    const carrier = await service.get('/v1/carriers/twilio')
    const told = JSON.stringify([carrier, forged, service.log()])
    assert.deepEqual([forged.status, elsewhere.status], [401, 401])
    assert.equal((await service.get('/v1/messages')).length, 0)
    assert.equal(carrier.declared, true)
    assert.equal(carrier.settings.parameters.accountSid, accountSid)
    assert.ok(!told.includes(authToken))
  })

  it('is changed in the configuration file alone', async () => {
    await using provider = await startProvider(twilio)
    await using service = await serveExample('twilio', environment, [
      'https://api.twilio.com',
      provider.url,
    ])

    const { status, json } = await service.put(
      '/v1/carriers/twilio',
      await service.get('/v1/carriers/twilio'),
    )

    assert.equal(status, 409)
    assert.match(json.detail, /configuration file/)
  })
})
