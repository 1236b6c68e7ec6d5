import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { secretFrom, secretKey, verify } from '@nuncio/receiver'
import type { PostRequest } from '../../src/delivery/egress/post.ts'
import type { Read, TestApi } from '../support/api.ts'
import { settle } from '../support/virtual-clock.ts'
import { startWith, type ApiWithReceiver } from './support/start-with.ts'
import { messageNames } from './support/world.ts'

const url = 'https://receiver.test/hook'
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const [secretA, secretB] = [1, 2].map((seed) =>
  secretFrom(Uint8Array.from({ length: 32 }, (_, at) => at + seed)),
)

describe('the secret of a webhook', () => {
  it('is made where none is given, and shown in the answer that made it alone', async (t) => {
    const api = await startWith(t)

    const made = await api.post('/v1/webhooks', { url })
    const put = await api.put('/v1/webhooks/chosen', { url })
    const read = await api.get(made.headers['location'] ?? '')
    const changed = await api.patch(`/v1/webhooks/${made.json.id}`, { name: 'a' })

    assert.match(made.json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.match(put.json.secret, /^whsec_/)
    assert.notEqual(put.json.secret, made.json.secret)
    assert.equal('secret' in read.json, false)
    assert.equal('secret' in changed.json, false)
    assert.equal('secrets' in read.json, false)
  })

  it('may be given, 24 to 64 bytes of it', async (t) => {
    const api = await startWith(t)

    const given = await api.post('/v1/webhooks', { url, secret: secretA })
    const wrong = await Promise.all(
      [23, 65].map((count) => {
        const text = Buffer.alloc(count, 1).toString('base64')
        return api.post('/v1/webhooks', { url, secret: `whsec_${text}` })
      }),
    )

    assert.equal(given.json.secret, secretA)
    for (const refused of wrong) assert.deepEqual(pointers(refused), ['/secret'])
  })

  it('is refused if it can be guessed', async (t) => {
    const api = await startWith(t)
    const secret = `whsec_${Buffer.alloc(32, 'x').toString('base64')}`

    const { status, json } = await api.post('/v1/webhooks', { url, secret })

    assert.equal(status, 400)
    assert.match(json.detail, /must be random/)
  })

  it('signs beside a new one for 24 hours', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, secret: secretA })

    const rotated = await api.patch('/v1/webhooks/w', { secret: secretB })
    await api.notify('m1')
    api.clock.jump(dayMs)
    await api.notify('m2')

    assert.equal('secret' in rotated.json, false)
    assert.deepEqual(signers(api, 0), [secretA, secretB])
    assert.deepEqual(signers(api, 1), [secretB])
  })

  it('ends when it was to end, however often it is rotated since', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, secret: secretA })
    await api.patch('/v1/webhooks/w', { secret: secretB })
    api.clock.jump(dayMs / 2)
    const { json } = await api.patch('/v1/webhooks/w', { secret: null })
    const all = [secretA, secretB, json.secret]

    await api.notify('m1')
    api.clock.jump(dayMs / 2 - 1)
    await api.notify('m2')
    api.clock.jump(1)
    await api.notify('m3')
    api.clock.jump(dayMs / 2)
    await api.notify('m4')

    const signed = [0, 1, 2, 3].map((at) => signers(api, at, json.secret))
    assert.deepEqual(signed, [all, all, [secretB, json.secret], [json.secret]])
  })

  it('is made anew by null, and shown in that answer', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, secret: secretA })

    const rotated = await api.patch('/v1/webhooks/w', { secret: null })
    await api.notify('m1')

    assert.match(rotated.json.secret, /^whsec_/)
    assert.deepEqual(signers(api, 0, rotated.json.secret), [secretA, rotated.json.secret])
  })

  it('stays as it is where a PUT does not name it, or names it again', async (t) => {
    const api = await startWith(t)
    const first = await api.put('/v1/webhooks/w', { url, secret: secretA })
    await api.clock.advance(1000)

    const without = await api.put('/v1/webhooks/w', { url })
    const again = await api.put('/v1/webhooks/w', { url, secret: secretA })
    await api.notify('m1')

    for (const { json, headers } of [without, again]) {
      const { secret: _, ...shown } = first.json
      assert.deepEqual(json, shown)
      assert.equal(headers['etag'], first.headers['etag'])
    }
    assert.deepEqual(signers(api, 0), [secretA])
  })
})

describe('the header fields of a webhook', () => {
  it('are sent along, and shown without their values', async (t) => {
    const api = await startWith(t)

    const { json } = await api.put('/v1/webhooks/w', {
      url,
      headers: { Authorization: 'Bearer x' },
    })
    await api.notify('m1')

    assert.deepEqual(json.headers, { Authorization: null })
    assert.equal(api.sent[0]?.headers['authorization'], 'Bearer x')
  })

  it('keep their values where null stands for them, and go where they are left out', async (t) => {
    const api = await startWith(t)
    const before = { 'X-One': '1', 'X-Two': '2' }
    await api.put('/v1/webhooks/w', { url, headers: before })

    const { json: read } = await api.get('/v1/webhooks/w')
    const same = await api.put('/v1/webhooks/w', read)
    await api.put('/v1/webhooks/w', { url, headers: { 'X-One': null, 'X-Three': '3' } })
    await api.notify('m1')
    await api.patch('/v1/webhooks/w', { headers: { 'X-One': 'one' } })
    await api.notify('m2')

    assert.equal(same.json.updatedAt, read.updatedAt)
    assert.deepEqual(ownHeaders(api.sent[0]), { 'x-one': '1', 'x-three': '3' })
    assert.deepEqual(ownHeaders(api.sent[1]), { 'x-one': 'one', 'x-three': '3' })
  })

  const refused: readonly Record<string, string | null>[] = [
    { Host: 'a' },
    { connection: 'close' },
    { 'Keep-Alive': 'a' },
    { 'Transfer-Encoding': 'chunked' },
    { TE: 'trailers' },
    { Trailer: 'a' },
    { Upgrade: 'a' },
    { Expect: '100-continue' },
    { 'Proxy-Authorization': 'a' },
    { 'Content-Type': 'text/html' },
    { 'content-length': '3' },
    { 'Webhook-Signature': 'v1,a' },
    { 'x y': 'a' },
    { 'x:y': 'a' },
    { '': 'a' },
    { 'X-Ä': 'a' },
    { 'X-A': 'a\r\nX-B: b' },
    { 'X-A': 'a\u0001' },
    { 'X-A': 'a\u007f' },
    { 'X-A': '€' },
    { 'X-A': '1', 'x-a': '2' },
    { 'X-Unknown': null },
    { constructor: null },
  ]
  for (const headers of refused) {
    it(`cannot be ${JSON.stringify(headers)}`, async (t) => {
      const api = await startWith(t)

      const answer = await api.post('/v1/webhooks', { url, headers })

      assert.equal(answer.status, 400)
      assert.match(pointers(answer).join(), /^\/headers/)
    })
  }
})

describe('the URL of a webhook', () => {
  it('is refused with its pointer where the guard refuses it', async (t) => {
    const api = await startWith(t)

    const urls = ['http://example.com/', 'https://10.0.0.1/', 'https://0xa9fea9fe/', `${url}#a`]
    const answers = await Promise.all(
      urls.map((refused) => api.post('/v1/webhooks', { url: refused })),
    )

    assert.equal((await api.post('/v1/webhooks', { url: 'http://127.0.0.1:9/' })).status, 201)
    assert.deepEqual(
      answers.map(({ status: code }) => code),
      // A name may lead to a network that the operator allows: that is seen when it is connected to.
      [201, 400, 400, 400],
    )
    assert.deepEqual(answers.slice(1).flatMap(pointers), ['/url', '/url', '/url'])
  })

  it('takes the backlog along when it changes', async (t) => {
    const api = await startWith(t, ({ url: { host } }) => (host === 'new.test' ? 204 : 500))
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')

    const before = await api.get('/v1/webhooks/w')
    const after = await api.patch('/v1/webhooks/w', { url: 'https://new.test/' })
    await settle(10)

    assert.equal(before.json.state, 'RETRYING')
    assert.equal(before.json.lag, 1)
    assert.equal(before.json.nextAttemptAt > before.json.createdAt, true)
    assert.equal(after.json.state, 'ACTIVE')
    assert.equal(api.sent.at(-1)?.url.href, 'https://new.test/')
    assert.equal((await api.get('/v1/webhooks/w')).json.lag, 0)
  })
})

describe('a webhook', () => {
  it('begins behind what there is, and shows how it fares', async (t) => {
    const api = await startWith(t)
    await api.notify('before')

    const made = await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    const { json } = await api.get('/v1/webhooks/w')

    const { state, stateReason, lag, lastSuccessAt, nextAttemptAt } = made.json
    assert.deepEqual(
      { state, stateReason, lag, lastSuccessAt, nextAttemptAt },
      { state: 'ACTIVE', stateReason: null, lag: 0, lastSuccessAt: null, nextAttemptAt: null },
    )
    assert.equal(json.lastSuccessAt, '2026-01-01T00:00:00.000Z')
    assert.deepEqual(bodies(api), [[{ id: 'm1' }]])
  })

  it('that is made inactive collects, and goes on when it is active again', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })

    const off = await api.patch('/v1/webhooks/w', { active: false })
    await api.notify('m1', 'm2')
    const { json } = await api.get('/v1/webhooks/w')
    const on = await api.patch('/v1/webhooks/w', { active: true })
    await settle(10)

    assert.equal(off.json.state, 'DISABLED')
    assert.equal(json.lag, 2)
    assert.equal(on.json.state, 'ACTIVE')
    assert.equal(on.json.stateReason, null)
    assert.deepEqual(bodies(api), [[{ id: 'm1' }, { id: 'm2' }]])
  })

  it('that is made inactive is sent nothing more, though batches are planned', async (t) => {
    const api: ApiWithReceiver = await startWith(t, async () => {
      await new Promise<void>((resolve) => api.clock.after(10, resolve))
      return 204
    })
    await api.put('/v1/webhooks/w', { url, maxBatch: 1 })
    await api.notify(...messageNames(20))
    await api.clock.advance(15)
    const begun = api.sent.length

    await api.patch('/v1/webhooks/w', { active: false })
    await api.clock.advance(hourMs)

    assert.equal(begun, 2)
    assert.equal(api.sent.length, begun)
  })

  it('that 410 disabled stays so until its owner says active: true', async (t) => {
    let answer = 410
    const api = await startWith(t, () => answer)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    answer = 204

    const renamed = await api.patch('/v1/webhooks/w', { name: 'renamed' })
    const slower = await api.patch('/v1/webhooks/w', { timeoutMs: 5000 })
    await api.clock.advance(hourMs)
    const attempts = api.sent.length
    const on = await api.patch('/v1/webhooks/w', { active: true })
    await settle(10)

    assert.equal(renamed.json.state, 'DISABLED')
    assert.equal(slower.json.state, 'DISABLED')
    assert.equal(attempts, 1)
    assert.equal(on.json.state, 'ACTIVE')
    assert.deepEqual(bodies(api), [[{ id: 'm1' }], [{ id: 'm1' }]])
    assert.equal(api.sent[0]?.headers['webhook-id'], api.sent[1]?.headers['webhook-id'])
  })

  it('is not sent what it did not want when it happened', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, types: ['RECEIVED'] })
    await api.notify('m1')

    await api.patch('/v1/webhooks/w', { types: ['RECEIVED', 'SENT'] })
    await api.notify('m2')

    assert.deepEqual(bodies(api), [[{ id: 'm2' }]])
  })

  it('opens another batch, under another identifier, when it wants other records', async (t) => {
    let answer = 503
    const api = await startWith(t, () => answer)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1', 'm2', 'm3')
    answer = 204

    await api.patch('/v1/webhooks/w', { maxBatch: 2 })
    await settle(20)

    assert.deepEqual(bodies(api), [
      [{ id: 'm1' }, { id: 'm2' }, { id: 'm3' }],
      [{ id: 'm1' }, { id: 'm2' }],
      [{ id: 'm3' }],
    ])
    assert.equal(new Set(api.sent.map(({ headers }) => headers['webhook-id'])).size, 3)
  })

  it('is sent nothing once it is deleted, with a backlog too', async (t) => {
    const api = await startWith(t, () => 500)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')

    const { status: code } = await api.delete('/v1/webhooks/w')
    await api.clock.advance(hourMs)

    assert.equal(code, 204)
    assert.equal(api.sent.length, 1)
  })

  it('leaves nothing behind when it is deleted during a request, for one made anew under its name', async (t) => {
    const { promise, resolve } = Promise.withResolvers<number>()
    const api = await startWith(t, () => (api.sent.length === 1 ? promise : 204))
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1', 'm2')

    await api.delete('/v1/webhooks/w')
    resolve(204)
    await settle(10)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m3')

    const { json } = await api.get('/v1/webhooks/w/deliveries')
    assert.deepEqual(
      json.map(({ messageIds }: { messageIds: string[] }) => messageIds),
      [['m3']],
    )
    assert.equal((await api.get('/v1/webhooks/w')).json.lag, 0)
  })

  it('lists its attempts', async (t) => {
    const api = await startWith(t, () => 422)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')

    const { json } = await api.get('/v1/webhooks/w/deliveries')

    assert.equal(json.length, 1)
    assert.equal(json[0].outcome, 'REFUSED')
    assert.equal(json[0].statusCode, 422)
    assert.deepEqual(json[0].messageIds, ['m1'])
  })
})

function pointers({ json }: Read): readonly string[] {
  const errors: readonly { pointer: string }[] = json.errors ?? []
  return errors.map(({ pointer }) => pointer)
}

function bodies(api: { readonly sent: readonly PostRequest[] }): readonly unknown[] {
  return api.sent.map(({ body }) => JSON.parse(Buffer.from(body).toString()))
}

/** The secrets, of those known, that signed a request. */
function signers(
  api: { readonly sent: readonly PostRequest[]; readonly clock: TestApi['clock'] },
  index: number,
  made?: string,
): readonly string[] {
  const request = api.sent[index] ?? assert.fail('nothing was sent')
  const nowMs = Number(request.headers['webhook-timestamp']) * 1000
  const known = [secretA, secretB, made].filter((secret) => secret !== undefined)
  return known.filter((secret) => {
    try {
      verify([secretKey(secret)], request.headers, request.body, { nowMs, toleranceSeconds: 0 })
      return true
    } catch {
      return false
    }
  })
}

function ownHeaders(request: PostRequest | undefined): Record<string, string> {
  const all = Object.entries(request?.headers ?? {})
  return Object.fromEntries(all.filter(([name]) => name.startsWith('x-')))
}

describe('A webhook that moves', () => {
  it('does not take the values of its header fields to another origin', async (t) => {
    const api = await startWith(t)
    const headers = { 'X-Key': 'sesame', 'X-Other': 'b' }
    await api.put('/v1/webhooks/w', { url, headers })

    const near = await api.patch('/v1/webhooks/w', { url: `${url}/other` })
    const far = await api.patch('/v1/webhooks/w', {
      url: 'https://new.test/',
      headers: { 'X-Other': 'c' },
    })

    assert.deepEqual(near.json.headers, { 'X-Key': null, 'X-Other': null })
    assert.deepEqual(far.json.headers, { 'X-Other': null })
  })
})
