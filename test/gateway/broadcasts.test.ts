import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'

describe('a broadcast', () => {
  it('makes a message for each recipient', async (t) => {
    const api = await startApi(t)
    const made = await api.post('/v1/broadcasts', {
      to: { addresses: ['+4915112345678', '+4915112345679', '+4915112345678'] },
      body: 'hello',
    })
    console.log(made.status, made.json)
    await api.clock.advance(1000)
    console.log((await api.get(`/v1/broadcasts/${made.json.id}`)).json)
    console.log((await api.get(`/v1/broadcasts/${made.json.id}/messages`)).json)
  })
})
