import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { TestApi } from '../support/api.ts'
import { startOver, storeKinds } from './support/over-stores.ts'

const address = '+4915112345678'
const sender = '12345'
/** The simulator answers a message to it with the same text. */
const echo = '+10000000004'

/** What becomes of a message, as soon as that is known. */
async function settledStatus(api: TestApi, id: string, key: string): Promise<string> {
  for (let round = 0; ; round += 1) {
    await api.clock.advance(1000)
    const { status } = (await api.get(`/v1/messages/${id}`, { key })).json
    if (round === 100 || !['ACCEPTED', 'SENT'].includes(status.type)) return status.id
  }
}

async function statusOf(api: TestApi, body: object, key = api.adminKey): Promise<string> {
  const { json } = await api.post('/v1/messages', { body: 'hello', ...body }, { key })
  return settledStatus(api, json.id, key)
}

for (const kind of storeKinds) {
  describe(`An opt-out (${kind})`, () => {
    it('is made for an address and a sender, and its reason is API', async (t) => {
      const api = await startOver(t, kind)

      const { status, json } = await api.post('/v1/optOuts', {
        address: '+49 151 12345678',
        sender,
        reason: 'KEYWORD',
      })
      const general = await api.put('/v1/optOuts/ada', { address })

      assert.equal(status, 201)
      assert.deepEqual(Object.entries(json), [
        ['id', json.id],
        ['address', address],
        ['sender', sender],
        ['reason', 'API'],
        ['createdAt', '2026-01-01T00:00:00.000Z'],
        ['updatedAt', '2026-01-01T00:00:00.000Z'],
      ])
      assert.match(json.id, /^optout_[0-9a-z]{26}$/)
      assert.deepEqual(
        [general.status, general.json.sender, general.json.reason],
        [200, null, 'API'],
      )
    })

    it('needs an address that can be sent to', async (t) => {
      const api = await startOver(t, kind)

      const answers = [
        await api.post('/v1/optOuts', {}),
        await api.post('/v1/optOuts', { address: 'Bank' }),
        await api.post('/v1/optOuts', { address, sender: 'much too long a sender' }),
        await api.post('/v1/optOuts', { address, pair: 'x' }),
      ]

      assert.deepEqual(
        answers.map(({ status, json }) => [status, json.errors[0].pointer]),
        [
          [400, '/address'],
          [400, '/address'],
          [400, '/sender'],
          [400, '/pair'],
        ],
      )
    })

    it('is the only one of its pair: a second names the first', async (t) => {
      const api = await startOver(t, kind)
      const { json } = await api.post('/v1/optOuts', { address, sender })
      await api.put('/v1/optOuts/general', { address })

      const refused = [
        await api.post('/v1/optOuts', { address, sender }),
        await api.put('/v1/optOuts/mine', { address, sender }),
        await api.patch('/v1/optOuts/general', { sender }),
      ]

      for (const { status, json: problem } of refused) {
        assert.equal(status, 409)
        const detail = `There is an opt-out for this address and sender already: ${json.id}.`
        assert.deepEqual([problem.detail, problem.errors[0].pointer], [detail, '/address'])
      }
      const again = await api.put(`/v1/optOuts/${json.id}`, json)
      assert.deepEqual([again.status, again.json], [200, json])
      const second = await api.post('/v1/optOuts', { address })
      assert.deepEqual(
        [second.status, second.json.errors[0].detail],
        [409, 'is opted out by "general"'],
      )
    })

    it('is made once, however many ask for it at once', async (t) => {
      const api = await startOver(t, kind)

      const answers = await Promise.all(
        [1, 2, 3, 4].map(() => api.post('/v1/optOuts', { address, sender })),
      )

      assert.deepEqual(
        answers.map(({ status }) => status).toSorted((x, y) => x - y),
        [201, 409, 409, 409],
      )
    })

    it('can be filtered, searched, changed and deleted', async (t) => {
      const api = await startOver(t, kind)
      const { json } = await api.post('/v1/optOuts', { address, sender })
      await api.post('/v1/optOuts', { address: '+4915112345679' })
      const count = async (query: string) => (await api.get(`/v1/optOuts?${query}`)).json.length

      const counts = [
        await count(`address=${encodeURIComponent(address)}`),
        await count('sender=null'),
        await count('reason=KEYWORD'),
        await count('search=1234567'),
      ]
      const changed = await api.patch(`/v1/optOuts/${json.id}`, { sender: null })
      const gone = await api.delete(`/v1/optOuts/${json.id}`)

      assert.deepEqual(counts, [1, 1, 0, 2])
      assert.deepEqual([changed.json.sender, gone.status], [null, 204])
      assert.equal((await api.post('/v1/optOuts', { address })).status, 201)
    })

    it('blocks what is sent to the address, until it is deleted', async (t) => {
      const api = await startOver(t, kind)
      const { json } = await api.post('/v1/optOuts', { address, sender })

      const blocked = await statusOf(api, { from: sender, to: address })
      const another = await statusOf(api, { from: '54321', to: address })
      await api.delete(`/v1/optOuts/${json.id}`)
      const after = await statusOf(api, { from: sender, to: address })

      assert.deepEqual(
        [blocked, another, after],
        ['FAILED.BLOCKED', 'DELIVERED.null', 'DELIVERED.null'],
      )
      const { json: records } = await api.get('/v1/notifications?statuses=ACCEPTED,FAILED')
      const first = records
        .slice(0, 2)
        .map((record: { status: { id: string } }) => record.status.id)
      assert.deepEqual(first, ['ACCEPTED.null', 'FAILED.BLOCKED'])
    })

    it('is made by a keyword, which the reason says, and stays so while its pair does', async (t) => {
      const api = await startOver(t, kind)
      await statusOf(api, { from: sender, to: echo, body: 'Stop' })
      const [made] = (await api.get('/v1/optOuts')).json
      const path = `/v1/optOuts/${made.id}`

      const put = await api.put(path, { address: echo, sender, reason: 'API' })
      const blocked = await statusOf(api, { from: sender, to: echo })
      const changed = await api.patch(path, { sender: null })

      assert.deepEqual([made.address, made.sender, made.reason], [echo, sender, 'KEYWORD'])
      assert.deepEqual([put.json, blocked], [made, 'FAILED.BLOCKED'])
      assert.equal(changed.json.reason, 'API')
      const received = await api.get('/v1/messages?type=RECEIVED')
      assert.deepEqual(
        received.json.map((message: { body: string }) => message.body),
        ['Stop'],
      )
    })

    it('is an account’s own: another sees nothing of it and is not held back', async (t) => {
      const api = await startOver(t, kind)
      const acme = await api.newAccount('acme')
      const beta = await api.newAccount('beta')
      const { json } = await api.post('/v1/optOuts', { address }, { key: acme })

      const own = await statusOf(api, { from: sender, to: address }, acme)
      const others = await statusOf(api, { from: sender, to: address }, beta)
      const seen = await api.get(`/v1/optOuts/${json.id}`, { key: beta })
      const listed = await api.get('/v1/optOuts', { key: beta })
      const same = await api.post('/v1/optOuts', { address }, { key: beta })

      assert.deepEqual([own, others], ['FAILED.BLOCKED', 'DELIVERED.null'])
      assert.deepEqual([seen.status, listed.json, same.status], [404, [], 201])
    })

    it('takes its scopes', async (t) => {
      const api = await startOver(t, kind)
      const key = await api.newAccount('acme', ['optOuts:write'])

      const made = await api.post('/v1/optOuts', { address }, { key })
      const read = await api.get('/v1/optOuts', { key })

      assert.deepEqual([made.status, read.status], [201, 403])
    })
  })
}

describe('A keyword of the operator’s own', () => {
  it('opts out of the address that it arrived at', async (t) => {
    const api = await startOver(t, 'memory', { optOutWords: ['arrêt'] })

    const sent = await statusOf(api, { from: sender, to: echo, body: 'ARRÊT' })
    const [made] = (await api.get(`/v1/optOuts?address=${encodeURIComponent(echo)}`)).json

    assert.equal(sent, 'DELIVERED.null')
    assert.deepEqual([made.sender, made.reason], [sender, 'KEYWORD'])
  })
})
