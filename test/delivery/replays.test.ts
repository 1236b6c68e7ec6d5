import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import { webhooks } from '../../src/collections/webhooks.ts'
import { startWith, type ApiWithReceiver } from './support/start-with.ts'
import { messageNames, status } from './support/world.ts'
import type { PostRequest } from '../../src/delivery/egress/post.ts'

const url = 'https://receiver.test/hook'
const replaysPath = '/v1/webhooks/w/replays'
const secondMs = 1000
const minuteMs = 60_000

describe('POST /v1/webhooks/{id}/replays', () => {
  it('sends again what happened since, in its order, under identifiers of their own', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, maxBatch: 2 })
    await api.notify('m1')
    const from = await later(api)
    await api.notify('m2', 'm3', 'm4')
    const before = api.sent.length

    const made = await api.post(replaysPath, { from })
    await api.clock.advance(0)

    const again = api.sent.slice(before)
    assert.equal(made.status, 201)
    assert.equal(made.headers['location'], `${replaysPath}/${made.json.id}`)
    assert.match(made.json.id, /^replay_/)
    assert.deepEqual(
      { ...made.json, id: null, createdAt: null, updatedAt: null },
      {
        id: null,
        from,
        until: null,
        types: ['RECEIVED', 'SENT'],
        messageIds: null,
        failedOnly: false,
        state: 'WAITING',
        stateReason: null,
        sent: 0,
        setAside: 0,
        reached: null,
        nextAttemptAt: null,
        endedAt: null,
        createdAt: null,
        updatedAt: null,
      },
    )
    assert.deepEqual(again.map(idsIn), [['m2', 'm3'], ['m4']])
    assert.ok(again.every(({ headers }) => headers['webhook-id']?.startsWith('replayed_')))
    const { state, sent, reached, endedAt } = (await api.get(`${replaysPath}/${made.json.id}`)).json
    assert.deepEqual({ state, sent, reached }, { state: 'COMPLETED', sent: 3, reached: from })
    assert.notEqual(endedAt, null)
    const attempts = await api.get(`/v1/webhooks/w/deliveries?replay=${made.json.id}`)
    assert.equal(attempts.json.length, 2)
  })

  it('selects by time, type, message and what was set aside', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    const [first, second, third] = [await later(api), await later(api), await later(api)]
    for (const [id, at] of [
      ['m1', first],
      ['m2', second],
      ['m3', third],
    ] as const) {
      await notifyAt(api, id, at)
    }
    await notifyAt(api, 'm3', third, 'RECEIVED')
    const selected = async (selection: object): Promise<readonly string[]> => {
      const before = api.sent.length
      assert.equal((await api.post(replaysPath, selection)).status, 201)
      await api.clock.advance(0)
      return api.sent.slice(before).flatMap(idsIn)
    }

    assert.deepEqual(await selected({ from: first }), ['m1', 'm2', 'm3', 'm3'])
    assert.deepEqual(await selected({ from: second }), ['m2', 'm3', 'm3'])
    assert.deepEqual(await selected({ from: first, until: third }), ['m1', 'm2'])
    assert.deepEqual(await selected({ from: first, types: ['RECEIVED'] }), ['m3'])
    assert.deepEqual(await selected({ from: first, messageIds: ['m3', 'm1'] }), ['m1', 'm3', 'm3'])
    assert.deepEqual(await selected({ from: first, failedOnly: true }), [])
  })

  it('with failedOnly sends what was set aside, until it is delivered', async (t) => {
    let isMended = false
    const api = await startWith(t, (request) =>
      !isMended && idsIn(request).includes('bad') ? status(422, '1') : 204,
    )
    await api.put('/v1/webhooks/w', { url })
    const from = await later(api)
    await api.notify('m1', 'bad', 'm2')
    await api.clock.advance(5 * secondMs)
    const replayed = async () => {
      const before = api.sent.length
      const { json } = await api.post(replaysPath, { from, failedOnly: true })
      await api.clock.advance(5 * secondMs)
      const { state, sent, setAside } = (await api.get(`${replaysPath}/${json.id}`)).json
      return { again: api.sent.slice(before).flatMap(idsIn), state, sent, setAside }
    }

    const refused = await replayed()
    isMended = true
    const taken = await replayed()
    const none = await replayed()

    const fiveTimes = ['bad', 'bad', 'bad', 'bad', 'bad']
    assert.deepEqual(refused, { again: fiveTimes, state: 'COMPLETED', sent: 0, setAside: 1 })
    assert.deepEqual(taken, { again: ['bad'], state: 'COMPLETED', sent: 1, setAside: 0 })
    assert.deepEqual(none, { again: [], state: 'COMPLETED', sent: 0, setAside: 0 })
  })

  it('ends where the webhook was when it was made: what lies behind is delivered once', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    const from = await later(api)
    await api.notify('m1')
    await api.patch('/v1/webhooks/w', { active: false })
    await api.notify('m2')

    const { json } = await api.post(replaysPath, { from })
    await api.clock.advance(0)
    const waiting = await api.get(`${replaysPath}/${json.id}`)
    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(0)

    assert.equal(waiting.json.state, 'WAITING')
    assert.deepEqual(api.sent.flatMap(idsIn).toSorted(), ['m1', 'm1', 'm2'])
    assert.equal((await api.get(`${replaysPath}/${json.id}`)).json.state, 'COMPLETED')
  })

  it('also sends what a webhook was never sent, because it is younger', async (t) => {
    const api = await startWith(t)
    const from = await later(api)
    await api.notify('m1')
    await api.put('/v1/webhooks/w', { url })

    await api.post(replaysPath, { from })
    await api.clock.advance(0)

    assert.deepEqual(api.sent.flatMap(idsIn), ['m1'])
  })

  it('gives a webhook that has no position in the log one at its end, to which the replay goes', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, active: false })
    const from = await later(api)
    await api.notify('m1')
    await forgetPosition(api)

    const { status: made } = await api.post(replaysPath, { from })
    await api.notify('m2')
    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(0)

    assert.equal(made, 201)
    assert.deepEqual(api.sent.flatMap(idsIn).toSorted(), ['m1', 'm2'])
  })

  it('refuses a time that ends before it begins, and what is no field', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    const at = new Date(api.clock.now()).toISOString()

    const none = await api.post(replaysPath, {})
    const empty = await api.post(replaysPath, { from: at, until: at, typs: ['SENT'] })
    const nowhere = await api.post('/v1/webhooks/other/replays', { from: at })

    assert.deepEqual(none.json.errors, [{ pointer: '/from', detail: 'is required' }])
    assert.deepEqual(
      empty.json.errors.map(({ pointer }: { pointer: string }) => pointer),
      ['/typs', '/until'],
    )
    assert.equal(nowhere.status, 404)
  })

  it('are at most ten of a webhook at a time, one after the other', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, active: false })
    const from = await later(api)
    await api.notify('m1')

    for (let count = 0; count < 10; count += 1) {
      assert.equal((await api.post(replaysPath, { from })).status, 201)
    }
    const eleventh = await api.post(replaysPath, { from })

    assert.equal(eleventh.status, 409)
  })
})

describe('a replay', () => {
  it('is cancelled by its state, and goes no further', async (t) => {
    let answer = 503
    const api = await startWith(t, (request) =>
      request.headers['webhook-id']?.startsWith('replayed_') ? answer : 204,
    )
    await api.put('/v1/webhooks/w', { url, maxBatch: 1 })
    const from = await later(api)
    await api.notify('m1', 'm2')
    const { json } = await api.post(replaysPath, { from })
    const path = `${replaysPath}/${json.id}`
    await api.clock.advance(0)
    const retrying = await api.get(path)
    const before = api.sent.length

    const changed = await api.patch(path, { from: '2020-01-01T00:00:00Z' })
    const forced = await api.patch(path, { state: 'COMPLETED' })
    const cancelled = await api.patch(path, { state: 'CANCELLED' })
    const again = await api.patch(path, { state: 'CANCELLED' })
    answer = 204
    await api.clock.advance(minuteMs)

    assert.equal(retrying.json.state, 'RETRYING')
    assert.equal(retrying.json.stateReason, 'The receiver answered 503.')
    assert.notEqual(retrying.json.nextAttemptAt, null)
    assert.equal(changed.status, 409)
    assert.equal(forced.status, 409)
    assert.equal(cancelled.status, 200)
    assert.equal(cancelled.json.state, 'CANCELLED')
    assert.notEqual(cancelled.json.endedAt, null)
    assert.equal(again.headers['etag'], cancelled.headers['etag'])
    assert.equal(api.sent.length, before)
    assert.equal((await api.delete(path)).status, 405)
  })

  it('that has ended cannot be cancelled', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    const { json } = await api.post(replaysPath, { from: await later(api) })
    await api.clock.advance(0)

    const cancelled = await api.patch(`${replaysPath}/${json.id}`, { state: 'CANCELLED' })

    assert.equal(cancelled.status, 409)
    assert.match(cancelled.json.detail, /COMPLETED/)
  })

  it('goes with its webhook', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, active: false })
    const from = await later(api)
    await api.notify('m1')
    const { json } = await api.post(replaysPath, { from })

    await api.delete('/v1/webhooks/w')
    await api.put('/v1/webhooks/w', { url })
    await api.clock.advance(minuteMs)

    assert.deepEqual(api.sent, [])
    assert.equal((await api.get(`${replaysPath}/${json.id}`)).status, 404)
  })

  it('fails on its own: what happens meanwhile arrives at once', async (t) => {
    const api = await startWith(t, (request) =>
      request.headers['webhook-id']?.startsWith('replayed_') ? 503 : 204,
    )
    await api.put('/v1/webhooks/w', { url })
    const from = await later(api)
    await api.notify('m1')
    const { json } = await api.post(replaysPath, { from })
    await api.clock.advance(0)
    const before = api.sent.length

    await api.notify('m2')
    await api.notify('m3')

    assert.deepEqual(api.sent.slice(before).flatMap(idsIn), ['m2', 'm3'])
    assert.equal((await api.get('/v1/webhooks/w')).json.state, 'ACTIVE')
    assert.equal((await api.get(`${replaysPath}/${json.id}`)).json.state, 'RETRYING')
  })

  it('waits while what happens cannot be delivered', async (t) => {
    let isUp = true
    const api = await startWith(t, () => (isUp ? 204 : 503))
    await api.put('/v1/webhooks/w', { url })
    const from = await later(api)
    await api.notify('m1')
    isUp = false
    await api.notify('m2')
    const before = api.sent.length

    await api.post(replaysPath, { from })
    await api.clock.advance(secondMs)
    const meanwhile = api.sent.length
    isUp = true
    await api.clock.advance(10 * secondMs)

    assert.equal(meanwhile, before)
    assert.deepEqual(api.sent.slice(before).flatMap(idsIn), ['m2', 'm1'])
  })

  it('that is answered 410 disables the webhook, and goes on with it', async (t) => {
    let isGone = false
    const api = await startWith(t, () => (isGone ? 410 : 204))
    await api.put('/v1/webhooks/w', { url })
    const from = await later(api)
    await api.notify('m1')
    isGone = true
    await api.post(replaysPath, { from })
    await api.clock.advance(minuteMs)
    const disabled = await api.get('/v1/webhooks/w')
    const [gone, ...others] = api.sent.slice(1)
    isGone = false

    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(0)

    assert.equal(disabled.json.state, 'DISABLED')
    assert.deepEqual(others, [])
    assert.equal(api.sent.at(-1)?.headers['webhook-id'], gone?.headers['webhook-id'])
    assert.equal((await api.get(replaysPath)).json[0].state, 'COMPLETED')
  })

  it('halves what is refused, and sets one record aside', async (t) => {
    const api = await startWith(t, (request) =>
      request.headers['webhook-id']?.startsWith('replayed_') && idsIn(request).includes('m3')
        ? status(400, '1')
        : 204,
    )
    await api.put('/v1/webhooks/w', { url })
    const from = await later(api)
    await api.notify(...messageNames(8))
    const { json } = await api.post(replaysPath, { from })
    await api.clock.advance(20 * secondMs)

    const { state, sent, setAside } = (await api.get(`${replaysPath}/${json.id}`)).json
    assert.deepEqual({ state, sent, setAside }, { state: 'COMPLETED', sent: 7, setAside: 1 })
    const again = await api.post(replaysPath, { from, failedOnly: true })
    await api.clock.advance(20 * secondMs)
    assert.equal((await api.get(`${replaysPath}/${again.json.id}`)).json.setAside, 1)
  })

  it('keeps its header fields and signatures as any delivery has', async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, headers: { 'X-Team': 'shop' } })
    const from = await later(api)
    await api.notify('m1')
    await api.post(replaysPath, { from })
    await api.clock.advance(0)

    const { headers } = api.sent.at(-1) ?? assert.fail('nothing was sent')
    assert.equal(headers['x-team'], 'shop')
    assert.match(headers['webhook-signature'] ?? '', /^v1,/)
  })
})

function idsIn({ body }: PostRequest): readonly string[] {
  const records: readonly { readonly id: string }[] = JSON.parse(Buffer.from(body).toString())
  return records.map(({ id }) => id)
}

/** A time at which nothing has happened yet. */
async function later({ clock }: ApiWithReceiver): Promise<string> {
  await clock.advance(secondMs)
  return new Date(clock.now()).toISOString()
}

/** Removes the position of the webhook, and stores the webhook as it was. */
async function forgetPosition({ store }: ApiWithReceiver): Promise<void> {
  await store.transact(async (transaction) => {
    const own = transaction.in(defaultAccount)
    const stored = (await own.find(webhooks, { id: 'w' })) ?? assert.fail('there is no webhook')
    const hidden = stored.hidden === null ? null : JSON.parse(stored.hidden)
    await own.remove(webhooks, { id: 'w' })
    await own.save(webhooks, { id: 'w' }, JSON.parse(stored.doc), hidden)
  })
}

async function notifyAt(
  { store, clock }: ApiWithReceiver,
  messageId: string,
  time: string,
  type = 'SENT',
): Promise<void> {
  const notification = { type, status: 'DELIVERED', messageId, at: Date.parse(time) }
  const record = JSON.stringify({ id: messageId })
  await store.transact((tx) => tx.in(defaultAccount).notify({ ...notification, record }))
  await clock.advance(0)
}
