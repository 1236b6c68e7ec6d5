import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

/** A carrier that is called back with a token of its own. */
const carrier = (token: string) => ({
  type: 'HTTP',
  settings: {
    request: { url: 'https://provider.example/', json: {} },
    secrets: { token },
    callbackAuthentication: { query: { name: 'token', value: '{{secret.token}}' } },
    callbacks: [
      { name: 'receipts', receipt: { id: '/id', status: '/s', statuses: { done: 'DELIVERED' } } },
    ],
  },
})

describe('Whoever calls back without the secret', () => {
  it('learns neither which carriers there are, nor which callbacks they have, nor of what type they are', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/carriers/ours', carrier('our-token'))
    await api.put('/v1/carriers/theirs', carrier('their-token'))
    await api.put('/v1/carriers/asleep', { ...carrier('third-token'), active: false })
    await settle()
    const body = '{"id":"p-1","s":"done"}'
    const places = [
      'theirs/callbacks/receipts',
      'theirs/callbacks/receipts?token=our-token',
      'theirs/callbacks/none?token=their-token',
      'none/callbacks/receipts?token=our-token',
      'asleep/callbacks/receipts?token=third-token',
      'carrier_simulator/callbacks/receipts',
    ]

    const answers = []
    for (const method of ['POST', 'GET', 'DELETE', 'OPTIONS']) {
      for (const place of places) {
        for (const key of [null, await api.newAccount(`account${answers.length}`)]) {
          const sent = method === 'POST' ? body : undefined
          const { status, headers, json } = await api.request(
            method,
            `/v1/carriers/${place}`,
            sent,
            {
              key,
            },
          )
          const { 'x-request-id': _, ...shown } = headers
          answers.push([method, status, shown, json?.detail, json?.type])
        }
      }
    }

    const right = await api.post('/v1/carriers/ours/callbacks/receipts?token=our-token', body, {
      key: null,
    })
    assert.equal(right.status, 200)
    const different = new Set(answers.map((answer) => JSON.stringify(answer)))
    assert.equal(different.size, 4, [...different].join('\n'))
    assert.deepEqual(
      [...new Set(answers.map(([method, status]) => `${String(method)} ${String(status)}`))],
      ['POST 401', 'GET 401', 'DELETE 405', 'OPTIONS 204'],
    )
  })
})
