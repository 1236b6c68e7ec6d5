import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

describe('A carrier with batches', () => {
  it('gets full ones: its window counts requests, not messages', async (t) => {
    const sizes: number[] = []
    const api = await startApi(t, {
      send: async ({ method, body }) => {
        const items = method === 'POST' ? JSON.parse(Buffer.from(body ?? '').toString()).items : []
        if (method === 'POST') sizes.push(items.length)
        const results = JSON.stringify({ results: items.map((id: string) => ({ id })) })
        const answer = { kind: 'ANSWERED', status: 200, retryAfterMs: null, isWhole: true } as const
        return { ...answer, body: Buffer.from(results) }
      },
    })
    await api.put('/v1/carriers/provider', {
      type: 'HTTP',
      settings: {
        request: { url: 'https://provider.example/', json: { items: ['{{id}}'] } },
        batch: { size: 8, items: '/items', results: '/results', waitMs: 1000 },
        window: 2,
        answers: [{ status: ['200'], meaning: 'ACCEPTED', id: '/results/*/id' }],
      },
    })
    await settle()

    for (let index = 0; index < 8; index += 1) {
      await api.post('/v1/messages', { to: '+4915112345678', body: 'x', carrier: 'provider' })
    }
    await settle(20)
    const before = [...sizes]
    // Those that still wait for others leave before the service stops.
    for (let round = 0; round < 4; round += 1) {
      await api.clock.advance(1000)
      await settle(20)
    }

    assert.deepEqual(before, [8])
  })
})
