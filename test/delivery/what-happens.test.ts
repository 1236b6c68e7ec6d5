import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it, type TestContext } from 'node:test'
import type { PostRequest } from '../../src/delivery/egress/post.ts'
import { startRetention } from '../../src/delivery/retention/retention.ts'
import { secretFrom, secretKey, verify } from '@nuncio/receiver'
import { startWith } from './support/start-with.ts'
import { messageNames, status, unhurried, World } from './support/world.ts'

const url = 'https://receiver.test/hook'
const secondMs = 1000
const hourMs = 3_600_000
const dayMs = 24 * hourMs
const late = { kind: 'TIMEOUT', detail: 'no answer within 15000 ms' } as const

/** What the section "What happens when …" of docs/explanation/webhook-delivery.md says, row by row. */
const rows: Readonly<Record<string, (t: TestContext) => Promise<void>>> = {
  'the receiver is down': async (t) => {
    let isUp = false
    const api = await startWith(t, () => (isUp ? 204 : 503))
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    const { json: retrying } = await api.get('/v1/webhooks/w')
    isUp = true
    await api.clock.advance(6 * secondMs)

    assert.equal(retrying.state, 'RETRYING')
    assert.equal(retrying.lag, 1)
    assert.deepEqual(api.sent.map(idsIn), [['m1'], ['m1']])
    assert.equal(new Set(api.sent.map(webhookIdOf)).size, 1)
    assert.equal((await api.get('/v1/webhooks/w')).json.state, 'ACTIVE')
  },
  'it is down for three days': async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 503)
    await world.start({ leaseTimes: unhurried })
    await world.notify('m1')
    await world.clock.advance(2 * dayMs)
    const before = await world.webhook('w')
    await world.clock.advance(2 * dayMs)
    const sent = world.sent.length
    await world.clock.advance(dayMs)

    assert.equal(before['state'], 'RETRYING')
    assert.equal((await world.webhook('w'))['state'], 'DISABLED')
    assert.equal(world.sent.length, sent)
    assert.equal(await world.lag('w'), 1)
  },
  'it is slow': async (t) => {
    const api = await startWith(t, (request) =>
      request.url.href === url ? { outcome: late, response: null } : 204,
    )
    await api.put('/v1/webhooks/w', { url })
    await api.put('/v1/webhooks/other', { url: 'https://other.test/' })
    await api.notify('m1')
    await api.clock.advance(6 * secondMs)

    const [first, again] = api.sent.filter((request) => request.url.href === url)
    assert.equal(again && webhookIdOf(again), first && webhookIdOf(first))
    const [attempt] = (await api.get('/v1/webhooks/w/deliveries')).json
    assert.equal(attempt.outcome, 'TIMEOUT')
    assert.equal((await api.get('/v1/webhooks/other')).json.lag, 0)
  },
  'it asks for time with Retry-After': async (t) => {
    const api = await startWith(t, () => (api.sent.length === 1 ? status(429, '60') : 204))
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    await api.clock.advance(59 * secondMs)
    const before = api.sent.length
    await api.clock.advance(secondMs)

    assert.deepEqual([before, api.sent.length], [1, 2])
  },
  'its answer gets lost': async (t) => {
    const broken = { kind: 'UNREACHABLE', detail: 'the connection was reset' } as const
    const api = await startWith(t, () =>
      api.sent.length === 1 ? { outcome: broken, response: null } : 204,
    )
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    await api.clock.advance(6 * secondMs)

    assert.deepEqual(api.sent.map(idsIn), [['m1'], ['m1']])
    assert.equal(new Set(api.sent.map(webhookIdOf)).size, 1)
  },
  'it redirects': async (t) => {
    const api = await startWith(t, () => 302)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')

    const { state, stateReason } = (await api.get('/v1/webhooks/w')).json
    assert.deepEqual(
      [state, stateReason],
      ['RETRYING', 'The receiver answered 302; redirects are not followed.'],
    )
    assert.deepEqual(
      api.sent.map((request) => request.url.href),
      [url],
    )
  },
  'it answers 410': async (t) => {
    let isGone = true
    const api = await startWith(t, () => (isGone ? 410 : 204))
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    await api.clock.advance(hourMs / 60)
    const { state } = (await api.get('/v1/webhooks/w')).json
    isGone = false
    await api.notify('m2')
    const before = api.sent.length
    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(0)

    assert.deepEqual([state, before], ['DISABLED', 1])
    assert.deepEqual(api.sent.slice(1).flatMap(idsIn), ['m1', 'm2'])
  },
  'it refuses one record with 4xx': async (t) => {
    const api = await startWith(t, (request) =>
      idsIn(request).includes('m2') ? status(422, '1') : 204,
    )
    await api.put('/v1/webhooks/w', { url, active: false })
    await api.notify('m1', 'm2', 'm3')
    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(20 * secondMs)

    const alone = api.sent.filter((request) => idsIn(request).join() === 'm2')
    const accepted = api.sent.filter((request) => !idsIn(request).includes('m2'))
    assert.equal(alone.length, 5)
    assert.deepEqual(accepted.flatMap(idsIn), ['m1', 'm3'])
    const aside = await api.get('/v1/webhooks/w/deliveries?error_like=*aside*')
    assert.deepEqual(aside.json[0].messageIds, ['m2'])
  },
  'it refuses everything with 4xx, such as 404 or 401': async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 404)
    await world.notify(...messageNames(1000))
    await world.start({ leaseTimes: unhurried })
    await world.clock.advance(4 * dayMs)

    const attempts = await world.deliveries('w')
    const aside = attempts.filter(({ error }) => /set aside/.test(error ?? ''))
    assert.ok(aside.length < 12, `${aside.length} were set aside`)
    assert.equal((await world.webhook('w'))['state'], 'DISABLED')
  },
  'the webhook is set inactive': async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, active: false })
    await api.notify('m1')
    await api.notify('m2')
    const { state, lag } = (await api.get('/v1/webhooks/w')).json
    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(0)

    assert.deepEqual([state, lag], ['DISABLED', 2])
    assert.deepEqual(api.sent.flatMap(idsIn), ['m1', 'm2'])
  },
  'its `url` is changed': async (t) => {
    const api = await startWith(t, (request) => (request.url.href === url ? 503 : 204))
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    await api.patch('/v1/webhooks/w', { url: 'https://new.test/' })
    await api.clock.advance(0)

    assert.deepEqual(
      api.sent.map((request) => request.url.host),
      ['receiver.test', 'new.test'],
    )
    assert.equal(new Set(api.sent.map(webhookIdOf)).size, 1)
  },
  'its `types` or `statuses` are changed': async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, types: ['RECEIVED'] })
    await api.notify('m1')
    await api.patch('/v1/webhooks/w', { types: ['SENT'] })
    await api.notify('m2')

    assert.deepEqual(api.sent.flatMap(idsIn), ['m2'])
  },
  'its secret is replaced': async (t) => {
    const [old, next] = [1, 2].map((each) =>
      secretFrom(Uint8Array.from({ length: 32 }, (_, at) => at + each)),
    )
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, secret: old })
    await api.patch('/v1/webhooks/w', { secret: next })
    await api.notify('m1')
    api.clock.jump(dayMs + secondMs)
    await api.notify('m2')

    const [both, one] = api.sent
    assert.ok(both && one && old !== undefined && next !== undefined)
    const check = ({ headers, body }: PostRequest, secret: string) =>
      verify([secretKey(secret)], headers, body, { nowMs: 0, toleranceSeconds: Infinity })
    check(both, old)
    check(both, next)
    check(one, next)
    assert.throws(() => check(one, old))
  },
  'it is deleted': async (t) => {
    const api = await startWith(t, () => 503)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    await api.post('/v1/webhooks/w/replays', { from: '2020-01-01T00:00:00Z' })
    const before = api.sent.length
    const { status: answered } = await api.delete('/v1/webhooks/w')
    await api.clock.advance(60 * secondMs)
    await api.put('/v1/webhooks/w', { url })
    await api.clock.advance(secondMs)

    assert.equal(answered, 204)
    assert.equal(api.sent.length, before)
    assert.deepEqual((await api.get('/v1/webhooks/w/deliveries')).json, [])
    assert.deepEqual((await api.get('/v1/webhooks/w/replays')).json, [])
  },
  'a message is deleted before its notification was delivered': async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url, active: false })
    await api.put('/v1/messages/m', { to: '+4915112345678', body: 'Hello' })
    await api.clock.advance(secondMs)
    await api.delete('/v1/messages/m')
    await api.patch('/v1/webhooks/w', { active: true })
    await api.clock.advance(0)

    assert.deepEqual(api.sent.flatMap(idsIn), ['m'])
  },
  'the backlog is older than seven days': async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { active: false })
    await world.start({ leaseTimes: unhurried })
    await using _ = startRetention({
      ...world,
      owner: null,
      auditKeptMs: 365 * dayMs,
      onFault: (error) => assert.fail(String(error)),
    })
    await world.notify('m1')
    await world.clock.advance(2 * dayMs)
    await world.notify('m2')
    await world.clock.advance(5 * dayMs + 2 * hourMs)
    const { stateReason } = await world.webhook('w')
    await world.change('w', { active: true }, (progress) => progress)

    assert.match(String(stateReason), /Undelivered notifications became too old to be kept/)
    assert.deepEqual(world.received('w'), ['m2'])
  },
  'a replay goes back further than seven days': async (t) => {
    const api = await startWith(t)
    await api.put('/v1/webhooks/w', { url })
    await api.notify('m1')
    const { status: answered } = await api.post('/v1/webhooks/w/replays', {
      from: '2020-01-01T00:00:00Z',
    })
    await api.clock.advance(0)

    assert.equal(answered, 201)
    assert.deepEqual(api.sent.flatMap(idsIn), ['m1', 'm1'])
  },
  'the service stops or dies': async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    const answers = Promise.withResolvers<void>()
    world.receive('https://w.test/', async () => {
      await answers.promise
      return 204
    })
    await world.start({ owner: 'node_1', leaseTimes: unhurried })
    await world.notify('m1')
    await world.stop()
    answers.resolve()
    await world.start({ owner: 'node_2', leaseTimes: unhurried })

    assert.deepEqual(world.received('w'), ['m1', 'm1'])
    assert.equal(new Set(world.sent.map(({ webhookId }) => webhookId)).size, 1)
  },
}

describe('what docs/explanation/webhook-delivery.md says happens when', () => {
  for (const [title, test] of Object.entries(rows)) it(title, test)

  it('has a test for each of its lines', () => {
    const page = readFileSync(
      new URL('../../docs/explanation/webhook-delivery.md', import.meta.url),
      'utf8',
    )
    const section = page.split('## What happens when …\n')[1]?.split('\n## ')[0] ?? ''
    const lines = section.split('\n').filter((line) => /^\| (?!when )[^-]/.test(line))
    const titles = lines.map((line) => line.split('|')[1]?.trim().replace(/^… /, ''))

    assert.deepEqual(titles, Object.keys(rows))
  })
})

function idsIn({ body }: PostRequest): readonly string[] {
  const records: readonly { readonly id: string }[] = JSON.parse(Buffer.from(body).toString())
  return records.map(({ id }) => id)
}

function webhookIdOf({ headers }: PostRequest): string | undefined {
  return headers['webhook-id']
}
