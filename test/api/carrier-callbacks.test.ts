import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { startApi, type TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'

const provider = {
  type: 'HTTP',
  settings: {
    request: { url: 'https://provider.example/', json: { text: '{{body}}' } },
    secrets: { token: 'open-sesame' },
    answers: [{ status: ['200'], meaning: 'ACCEPTED', id: '/id' }],
    callbackAuthentication: { query: { name: 'token', value: '{{secret.token}}' } },
    callbacks: [
      { name: 'receipts', receipt: { id: '/id', status: '/s', statuses: { done: 'DELIVERED' } } },
      { name: 'messages', message: { id: '/id', from: '/from', to: '/to', body: '/text' } },
    ],
  },
}

const path = '/v1/carriers/provider/callbacks'
const incoming = { id: 'in-1', from: '+4915112345678', to: '12345', text: 'hello' }

/** Calls back with a body that has not come yet; `read` counts how often it is asked for. */
function arriving(api: TestApi, target: string, headers: Readonly<Record<string, string>> = {}) {
  const body = Promise.withResolvers<Uint8Array>()
  let read = 0
  const answer = api.handle({
    method: 'POST',
    target,
    headers: { 'content-type': 'application/json', ...headers },
    peer: () => '192.0.2.1',
    receive: () => {
      read += 1
      return body.promise
    },
  })
  return { answer, body, read: () => read }
}

describe('The body of a callback', () => {
  const signed = {
    ...provider,
    settings: {
      ...provider.settings,
      callbackAuthentication: {
        signature: { header: 'X-Signature', key: '{{secret.token}}', content: '{{body}}' },
      },
    },
  }

  it('is not read if the head shows that it is not from the provider', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/carriers/provider', provider)
    await api.put('/v1/carriers/signed', signed)

    const refused = [
      arriving(api, `${path}/receipts?token=wrong`),
      arriving(api, `${path}/none?token=open-sesame`),
      arriving(api, '/v1/carriers/none/callbacks/receipts?token=open-sesame'),
      arriving(api, '/v1/carriers/signed/callbacks/receipts'),
    ]
    const answers = await Promise.all(refused.map(({ answer }) => answer))

    assert.deepEqual(
      answers.map(({ status }) => status),
      [401, 401, 401, 401],
    )
    assert.deepEqual(
      refused.map(({ read }) => read()),
      [0, 0, 0, 0],
    )
  })

  it('waits for at most 15 others from the same address', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/carriers/signed', signed)
    const call = () =>
      arriving(api, '/v1/carriers/signed/callbacks/receipts', { 'x-signature': 'ab' })

    const waiting = Array.from({ length: 16 }, call)
    await settle()
    const refused = await call().answer
    for (const { body } of waiting) body.resolve(Buffer.from('{}'))
    const answers = await Promise.all(waiting.map(({ answer }) => answer))
    const again = call()
    again.body.resolve(Buffer.from('{}'))

    assert.equal(refused.status, 429)
    assert.ok(answers.every(({ status }) => status === 401))
    assert.equal((await again.answer).status, 401)
  })
})

describe('A provider that calls back', () => {
  it('is answered while a maintenance window is open', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/carriers/provider', provider)
    await api.put('/v1/maintenanceWindows/now', {})

    const { status } = await api.post(`${path}/messages?token=open-sesame`, incoming, { key: null })

    assert.equal(status, 200)
  })

  it('may do so before its answer to the message is there, and repeatedly', async (t) => {
    const answered = Promise.withResolvers<void>()
    const api = await startApi(t, {
      send: async ({ method }) => {
        if (method !== 'HEAD') await answered.promise
        const body = Buffer.from('{"id":"p-1"}')
        return { kind: 'ANSWERED', status: 200, retryAfterMs: null, body, isWhole: true }
      },
    })
    await api.put('/v1/carriers/provider', provider)
    await settle()
    const { json } = await api.post('/v1/messages', {
      to: '+4915112345678',
      body: 'hello',
      carrier: 'provider',
    })
    await settle(20)

    const receipt = { id: 'p-1', s: 'done' }
    const early = await api.post(`${path}/receipts?token=open-sesame`, receipt, { key: null })
    answered.resolve()
    await settle(20)
    // What became of a message waits a moment for its receipts.
    await api.clock.advance(10)
    const again = await api.post(`${path}/receipts?token=open-sesame`, receipt, { key: null })

    assert.deepEqual([early.status, again.status], [200, 200])
    const { history } = (await api.get(`/v1/messages/${json.id}`)).json
    assert.deepEqual(
      history.map(({ status }: { status: string }) => status),
      ['ACCEPTED.null', 'SENT.null', 'DELIVERED.null'],
    )
  })

  it('is taken by a node that hands nothing over, with the secret as it is now', async (t) => {
    const api = await startApi(t, { config: { roles: ['api'] } })
    await api.put('/v1/carriers/provider', provider)
    const call = (token: string) =>
      api.post(`${path}/messages?token=${token}`, incoming, { key: null })

    const before = await call('open-sesame')
    await api.patch('/v1/carriers/provider', { settings: { secrets: { token: 'changed-token' } } })
    const stale = await call('open-sesame')
    const after = await call('changed-token')
    await api.patch('/v1/carriers/provider', { active: false })
    const inactive = await call('changed-token')

    assert.deepEqual(
      [before.status, stale.status, after.status, inactive.status],
      [200, 401, 200, 401],
    )
    assert.equal((await api.get('/v1/messages?type=RECEIVED')).json.length, 1)
  })

  it('is answered with what is wrong, and counted', async (t) => {
    const api = await startApi(t)
    await api.put('/v1/carriers/provider', provider)
    const call = (body: unknown, type = 'application/json') =>
      api.request('POST', `${path}/receipts?token=open-sesame`, body, {
        key: null,
        headers: { 'content-type': type },
      })

    const strange = await call({ hello: 'world' })
    const broken = await call('{')
    const xml = await call('<a/>', 'text/xml')

    const { text } = await api.get('/metrics')
    assert.deepEqual([strange.status, broken.status, xml.status], [400, 400, 415])
    assert.deepEqual(strange.json.errors, [
      { pointer: '', detail: 'has no identifier that can be read at /id' },
    ])
    assert.match(text, /nuncio_carrier_callbacks_total\{outcome="not_understood"\} 1\n/)
    assert.match(text, /nuncio_carrier_callbacks_total\{outcome="unreadable"\} 2\n/)
  })
})

describe('A hostile provider that calls back', () => {
  /** Two providers that name the same identifiers, and a message of each of four accounts over the first. */
  async function openAccounts(t: Parameters<typeof startApi>[0]) {
    let sent = 0
    const api = await startApi(t, {
      send: async ({ method }) => {
        if (method !== 'HEAD') sent += 1
        const body = Buffer.from(`{"id":"p-${sent}"}`)
        return { kind: 'ANSWERED', status: 200, retryAfterMs: null, body, isWhole: true }
      },
    })
    await api.put('/v1/carriers/provider', { ...provider, routes: [{ prefix: '' }] })
    const secrets = { token: 'other-token' }
    const settings = { ...provider.settings, secrets }
    await api.put('/v1/carriers/hostile', { ...provider, settings })
    await settle()
    const keys: string[] = []
    for (const name of ['one', 'two', 'three', 'four']) keys.push(await api.newAccount(name))
    const send = (key: string) =>
      api.post('/v1/messages', { to: '+4915112345678', body: 'x' }, { key })
    const statuses = () =>
      Promise.all(
        keys.map(async (key) => {
          const { json } = await api.get('/v1/messages?fields=status', { key })
          return json.map(({ status }: { status: { id: string } }) => status.id).join()
        }),
      )
    const call = (carrier: string, token: string, id: string) =>
      api.post(
        `/v1/carriers/${carrier}/callbacks/receipts?token=${token}`,
        { id, s: 'done' },
        { key: null },
      )
    return { api, keys, send, statuses, call }
  }

  it('changes no message of another carrier, in whatever account and order', async (t) => {
    const { api, keys, send, statuses, call } = await openAccounts(t)

    const early = await call('hostile', 'other-token', 'p-1')
    for (const key of keys) await send(key)
    await settle(20)
    await api.clock.advance(10)
    const late = await Promise.all(
      ['p-1', 'p-2', 'p-3', 'p-4'].map((id) => call('hostile', 'other-token', id)),
    )
    const before = await statuses()
    await call('provider', 'open-sesame', 'p-3')

    assert.deepEqual([early.status, ...late.map(({ status }) => status)], [200, 200, 200, 200, 200])
    assert.deepEqual(before, Array(4).fill('SENT.null'))
    assert.deepEqual(await statuses(), ['SENT.null', 'SENT.null', 'DELIVERED.null', 'SENT.null'])
  })

  it('is refused at the callbacks of another carrier, and changes nothing by repetition', async (t) => {
    const { api, keys, send, statuses, call } = await openAccounts(t)
    for (const key of keys) await send(key)
    await settle(20)
    await api.clock.advance(10)

    const forged = await call('provider', 'other-token', 'p-1')
    for (let round = 0; round < 3; round += 1) await call('provider', 'open-sesame', 'p-2')

    const [{ history }] = (await api.get('/v1/messages?fields=history', { key: keys[1] ?? null }))
      .json
    assert.equal(forged.status, 401)
    assert.deepEqual(await statuses(), ['SENT.null', 'DELIVERED.null', 'SENT.null', 'SENT.null'])
    assert.equal(history.length, 3)
  })
})
