import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import { messages } from '../../src/collections/messages.ts'
import { startApi, type TestApi } from '../support/api.ts'

describe('a message whose body was erased', () => {
  it('is served and listed without it', async (t) => {
    const api = await erased(t)

    const read = await api.get('/v1/messages/m')
    const listed = await api.get('/v1/messages?bodyErasedAt_ne=null&fields=body,bodyErasedAt')

    assert.equal(read.json.body, '')
    assert.deepEqual(listed.json, [{ id: 'm', body: '', bodyErasedAt: erasedAt }])
  })

  it('is not sent again by a PUT of its text', async (t) => {
    const api = await erased(t)

    const { status } = await api.put('/v1/messages/m', { to: '+4915112345678', body: 'Hello' })

    assert.equal(status, 409)
    assert.equal((await api.get('/v1/messages/m')).json.body, '')
  })
})

const erasedAt = '2026-01-01T00:00:00.000Z'

async function erased(t: Parameters<typeof startApi>[0]): Promise<TestApi> {
  const api = await startApi(t)
  await api.put('/v1/messages/m', { to: '+4915112345678', body: 'Hello' })
  await api.clock.advance(1000)
  await api.store.transact(async (transaction) => {
    const writer = transaction.in(defaultAccount)
    const stored = await writer.find(messages, { id: 'm' })
    const message = { ...JSON.parse(stored?.doc ?? ''), body: '', bodyErasedAt: erasedAt }
    assert.equal(message.status.type, 'DELIVERED')
    await writer.save(messages, { id: 'm' }, message, null)
  })
  return api
}
