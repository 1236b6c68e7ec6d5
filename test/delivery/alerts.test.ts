import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import type { PostRequest } from '../../src/delivery/egress/post.ts'
import { settle } from '../support/virtual-clock.ts'
import { startWith, type ApiWithReceiver } from './support/start-with.ts'
import { unhurried, World } from './support/world.ts'

const alerts = ['WEBHOOK_DISABLED', 'WEBHOOK_RECOVERED']
const [shop, operator] = ['https://shop.test/', 'https://operator.test/']
const dayMs = 24 * 3_600_000

describe('alerts about a webhook', () => {
  it('tell another webhook that the service disabled it, and that it takes deliveries again', async (t) => {
    const { api, answers } = await start(t)
    await api.put('/v1/webhooks/operator', { url: operator, types: alerts })
    await api.put('/v1/webhooks/shop', { url: shop, name: 'Shop' })

    answers.set(shop, 410)
    await api.notify('m1')
    answers.set(shop, 204)
    await api.patch('/v1/webhooks/shop', { active: true })
    await settle(10)

    const [disabled, recovered, ...others] = recordsTo(operator, api)
    const id = String(disabled?.['id'])
    assert.match(id, /^alert_/)
    assert.deepEqual(disabled, {
      id,
      type: 'WEBHOOK_DISABLED',
      webhook: { id: 'shop', name: 'Shop' },
      state: 'DISABLED',
      stateReason: 'The receiver answered 410: it is gone for good.',
      lag: 1,
      date: '2026-01-01T00:00:00.000Z',
    })
    assert.deepEqual(recovered, {
      ...disabled,
      id: recovered?.['id'],
      type: 'WEBHOOK_RECOVERED',
      state: 'ACTIVE',
      stateReason: null,
      lag: 0,
    })
    assert.deepEqual(others, [])
    assert.deepEqual(idsTo(shop, api), ['m1', 'm1'])
  })

  it('come when three days went by without a success, and not while it is retried', async (t) => {
    const world = new World(t)
    await world.addWebhook('operator', { types: alerts })
    await world.addWebhook('shop')
    world.receive(shop, () => 503)
    await world.start({ leaseTimes: unhurried })
    await world.notify('m1')

    const told = () =>
      world.sent.filter(({ url }) => url === operator).flatMap(({ request }) => bodyOf(request))
    await world.clock.advance(2 * dayMs)
    const [before, tries] = [told(), world.received('shop').length]
    await world.clock.advance(2 * dayMs)

    assert.deepEqual(before, [])
    assert.ok(tries > 10, `it was tried ${tries} times in two days`)
    assert.deepEqual(
      told().map(({ type, webhook }) => [type, webhook]),
      [['WEBHOOK_DISABLED', { id: 'shop', name: null }]],
    )
  })

  it('do not come for what its owner does', async (t) => {
    const { api } = await start(t)
    await api.put('/v1/webhooks/operator', { url: operator, types: alerts })
    await api.put('/v1/webhooks/shop', { url: shop })

    await api.patch('/v1/webhooks/shop', { active: false })
    await api.patch('/v1/webhooks/shop', { active: true })
    await api.notify('m1')

    assert.deepEqual(recordsTo(operator, api), [])
    assert.deepEqual(idsTo(shop, api), ['m1'])
  })

  it('are not sent to itself, and count nothing in its lag', async (t) => {
    const { api, answers } = await start(t)
    await api.put('/v1/webhooks/operator', { url: operator, types: ['SENT', ...alerts] })

    answers.set(operator, 410)
    await api.notify('m1')
    const { json } = await api.get('/v1/webhooks/operator')
    answers.set(operator, 204)
    await api.patch('/v1/webhooks/operator', { active: true })
    await settle(10)

    assert.deepEqual([json.state, json.lag], ['DISABLED', 1])
    assert.deepEqual(idsTo(operator, api), ['m1', 'm1'])
  })

  it('are kept where two that hear of each other are disabled at once', async (t) => {
    const { api, answers } = await start(t)
    await api.put('/v1/webhooks/operator', { url: operator, types: ['SENT', ...alerts] })
    await api.put('/v1/webhooks/shop', { url: shop, types: ['SENT', ...alerts] })

    for (const url of [operator, shop]) answers.set(url, 410)
    await api.notify('m1')
    for (const url of [operator, shop]) answers.set(url, 204)
    for (const id of ['operator', 'shop']) await api.patch(`/v1/webhooks/${id}`, { active: true })
    await settle(20)

    const tell = (url: string) =>
      recordsTo(url, api)
        .filter(({ type }) => alerts.includes(String(type)))
        .map(({ type, webhook }) => [type, webhook])
    assert.deepEqual(tell(operator), [
      ['WEBHOOK_DISABLED', { id: 'shop', name: null }],
      ['WEBHOOK_RECOVERED', { id: 'shop', name: null }],
    ])
    assert.deepEqual(tell(shop), [
      ['WEBHOOK_DISABLED', { id: 'operator', name: null }],
      ['WEBHOOK_RECOVERED', { id: 'operator', name: null }],
    ])
  })

  it('can be asked for and streamed, and do not come unasked', async (t) => {
    const { api, answers } = await start(t)
    await api.put('/v1/webhooks/shop', { url: shop })
    answers.set(shop, 410)
    await api.notify('m1')

    const asked = await api.get('/v1/notifications?types=WEBHOOK_DISABLED')
    const unasked = await api.get('/v1/notifications')

    assert.deepEqual(
      asked.json.map(({ type }: { type: string }) => type),
      ['WEBHOOK_DISABLED'],
    )
    assert.deepEqual(
      unasked.json.map(({ id }: { id: string }) => id),
      ['m1'],
    )
  })

  it('stay within the account', async (t) => {
    const { api, answers } = await start(t)
    const key = await api.newAccount('theirs')
    await api.put('/v1/webhooks/operator', { url: operator, types: alerts }, { key })
    await api.put('/v1/webhooks/shop', { url: shop })
    answers.set(shop, 410)

    await api.notify('m1')

    assert.deepEqual(recordsTo(operator, api), [])
    const log = await api.store.log.read(defaultAccount, null, { types: alerts, statuses: [] }, 10)
    assert.equal(log.length, 1)
  })

  it('come with the change of the state or not at all', async (t) => {
    const { api, answers } = await start(t)
    await api.put('/v1/webhooks/shop', { url: shop })
    answers.set(shop, 410)
    const seen: unknown[] = []
    api.store.onCommit(({ changed, notified }) => {
      if (changed.has('webhooks/deliveries')) seen.push([changed.has('webhooks'), notified.size])
    })

    await api.notify('m1')

    assert.deepEqual(seen, [[true, 1]])
  })
})

/** The service with receivers that answer by their addresses, 204 where nothing else is said. */
async function start(t: Parameters<typeof startWith>[0]) {
  const answers = new Map<string, number>()
  const api = await startWith(t, ({ url }) => answers.get(url.href) ?? 204)
  return { api, answers }
}

function recordsTo(url: string, { sent }: ApiWithReceiver): readonly Record<string, unknown>[] {
  const bodies = sent.filter((request) => request.url.href === url).map(bodyOf)
  return bodies.flat()
}

function idsTo(url: string, api: ApiWithReceiver): readonly unknown[] {
  return recordsTo(url, api).map(({ id }) => id)
}

function bodyOf({ body }: PostRequest): Record<string, unknown>[] {
  return JSON.parse(Buffer.from(body).toString())
}
