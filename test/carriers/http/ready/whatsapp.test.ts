import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startProvider } from '../support/provider.ts'
import { serveExample } from '../support/served.ts'

const environment = {
  WHATSAPP_PHONE_NUMBER_ID: '106540352242922',
  WHATSAPP_TEMPLATE: 'notice',
  WHATSAPP_TEMPLATE_LANGUAGE: 'en_US',
  WHATSAPP_ACCESS_TOKEN: 'access-token',
  WHATSAPP_APP_SECRET: 'app-secret',
  WHATSAPP_CALLBACK_TOKEN: 'verify-token',
}

describe('WhatsApp, as the ready declaration has it', () => {
  it('sends a message from the sender Template with the template, and answers a challenge', async () => {
    await using provider = await startProvider(() => ({
      status: 200,
      body: { messages: [{ id: 'wamid.1' }] },
    }))
    await using service = await serveExample('whatsapp', environment, [
      'https://graph.facebook.com',
      provider.url,
    ])
    const url = `${service.url}/v1/carriers/whatsapp/callbacks/events?hub.mode=subscribe&hub.challenge=1158`

    const sent = { from: 'Template', to: '+447700900123', body: 'Anna' }
    const { id } = await service.post('/v1/messages', sent)
    await service.until(`/v1/messages/${id}`, ({ status }) => status.type === 'SENT')
    const right = await fetch(`${url}&hub.verify_token=verify-token`)
    const wrong = await fetch(`${url}&hub.verify_token=other`)

    const request = provider.seen.find(({ method }) => method === 'POST')
    assert.deepEqual(JSON.parse(request?.body ?? ''), {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '447700900123',
      type: 'template',
      template: {
        name: 'notice',
        language: { code: 'en_US' },
        components: [{ type: 'body', parameters: [{ type: 'text', text: 'Anna' }] }],
      },
    })
    assert.deepEqual(
      [right.status, await right.text(), right.headers.get('content-type')],
      [200, '1158', 'text/plain'],
    )
    assert.equal(right.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(wrong.status, 401)
  })
})
