import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Store } from '../../src/core/ports/store.ts'
import { changedProgress } from '../../src/delivery/progress/changed-progress.ts'
import type { WebhookProgress } from '../../src/delivery/progress/progress.ts'
import { defaultSchedule } from '../../src/delivery/attempts/schedule.ts'
import { messageNames, ours, status, unhurried, World } from './support/world.ts'

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describe('notifications for a webhook', () => {
  it('are sent at once, in their order, and acknowledged by any 2xx', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.notify('m2', 'm3')

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds),
      [['m1'], ['m2', 'm3']],
    )
    assert.equal((await world.webhook('w'))['state'], 'ACTIVE')
    assert.equal((await world.progress('w')).lastSuccessAt, world.clock.now())
    assert.deepEqual(world.faults, [])
  })

  it('that waited are sent in full batches, one after the other', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 10 })
    await world.notify(...messageNames(25))

    await world.start({ leaseTimes: unhurried })

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds.length),
      [10, 10, 5],
    )
    assert.deepEqual(world.received('w'), messageNames(25))
    assert.equal(new Set(world.sent.map(({ webhookId }) => webhookId)).size, 3)
  })

  it('are those of the types and statuses that it wants', async (t) => {
    const world = new World(t)
    await world.addWebhook('failures', { types: ['SENT'], statuses: ['FAILED'] })
    await world.addWebhook('replies', { types: ['RECEIVED'] })
    await world.start({ leaseTimes: unhurried })

    await world.store.transact(async (transaction) => {
      for (const [type, detail] of [
        ['SENT', 'DELIVERED'],
        ['SENT', 'FAILED'],
        ['RECEIVED', 'RECEIVED'],
      ] as const) {
        const messageId = detail
        const record = JSON.stringify({ id: messageId, type })
        const at = world.clock.now()
        await transaction.in(ours).notify({ type, status: detail, messageId, at, record })
      }
    })
    await world.clock.advance(0)

    assert.deepEqual(world.received('failures'), ['FAILED'])
    assert.deepEqual(world.received('replies'), ['RECEIVED'])
  })

  it('wait for a batch to fill, counted from the oldest', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 3, maxWaitMs: 2000 })
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.clock.advance(1500)
    await world.notify('m2')
    await world.clock.advance(499)
    assert.deepEqual(world.sent, [])
    await world.clock.advance(1)
    await world.notify('m3', 'm4', 'm5')
    await world.clock.advance(100)

    assert.deepEqual(
      world.sent.map(({ messageIds, at }) => [messageIds, at]),
      [
        [['m1', 'm2'], 2000],
        [['m3', 'm4', 'm5'], 2000],
      ],
    )
  })

  it('go as soon as a batch is full, though its records are appended during a read', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 3, maxWaitMs: 2000 })
    let reads = 0
    const log: Store['log'] = {
      ...world.store.log,
      read: async (...asked) => {
        const entries = await world.store.log.read(...asked)
        reads += entries.length === 1 ? 1 : 0
        if (reads === 1 && entries.length === 1) await world.notify('m2', 'm3')
        return entries
      },
    }
    await world.start({ leaseTimes: unhurried, store: { ...world.store, log } })

    await world.notify('m1')
    await world.clock.advance(100)

    assert.deepEqual(
      world.sent.map(({ messageIds }) => messageIds),
      [['m1', 'm2', 'm3']],
    )
  })

  it('do not wait longer because the wall clock went back', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 3, maxWaitMs: 2000 })
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    world.clock.jump(-dayMs)
    await world.clock.advance(2000)

    assert.deepEqual(world.received('w'), ['m1'])
  })

  it('that it does not want move its cursor all the same, once in a while', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { types: ['RECEIVED'] })
    await world.start({ leaseTimes: unhurried })

    await world.notify(...messageNames(10))
    const before = await world.lag('w')
    await world.clock.advance(2 * minuteMs)
    await world.notify('late')

    assert.equal(before, 10)
    assert.equal(await world.lag('w'), 0)
    assert.deepEqual(world.sent, [])
  })

  it('are on record with every attempt', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', async () => {
      await new Promise<void>((resolve) => world.clock.after(120, resolve))
      const isFirst = world.sent.length === 1
      return { ...status(isFirst ? 503 : 200), response: isFirst ? 'busy' : 'ok' }
    })
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1', 'm2')
    await world.clock.advance(10 * secondMs)

    const [first, second, ...others] = await world.deliveries('w')
    const { id, createdAt, updatedAt, ...rest } = first ?? assert.fail('no attempt is on record')
    assert.match(id, /^delivery_/)
    assert.deepEqual(rest, {
      batchId: world.sent[0]?.webhookId,
      attempt: 1,
      date: '2026-01-01T00:00:00.000Z',
      durationMs: 120,
      outcome: 'REFUSED',
      statusCode: 503,
      error: 'The receiver answered 503.',
      response: 'busy',
      messageIds: ['m1', 'm2'],
      test: false,
      replay: null,
    })
    assert.equal(createdAt, '2026-01-01T00:00:00.120Z')
    assert.equal(updatedAt, createdAt)
    assert.equal(second?.attempt, 2)
    assert.equal(second?.outcome, 'ACCEPTED')
    assert.equal(second?.batchId, first?.batchId)
    assert.equal(second?.error, null)
    assert.deepEqual(others, [])
  })

  it('are sent to one that was added while the dispatcher runs, and not to one that was removed', async (t) => {
    const world = new World(t)
    await world.start({ leaseTimes: unhurried })

    await world.addWebhook('w')
    await world.notify('m1')
    const { webhooks } = await import('../../src/collections/webhooks.ts')
    await world.store.transact((transaction) => transaction.in(ours).remove(webhooks, { id: 'w' }))
    await world.notify('m2')
    await world.clock.advance(minuteMs)

    assert.deepEqual(world.received('w'), ['m1'])
    assert.deepEqual(world.faults, [])
  })
})

describe('a receiver that fails', () => {
  it('is tried again on the schedule, within 20 %, with the same identifier and body', async (t) => {
    const world = new World(t, { seed: 3 })
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 500)
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1', 'm2')
    await world.clock.advance(dayMs)

    const times = world.sent.map(({ at }) => at)
    const waits = times.slice(1).map((at, index) => at - (times[index] ?? 0))
    assert.ok(waits.length >= 9)
    for (const [index, waited] of waits.entries()) {
      const planned = defaultSchedule[Math.min(index, defaultSchedule.length - 1)] ?? 0
      assert.ok(waited >= planned * 0.8 && waited <= planned * 1.2, `${index}: ${waited} ms`)
    }
    assert.equal(new Set(world.sent.map(({ webhookId }) => webhookId)).size, 1)
    assert.equal(
      new Set(world.sent.map(({ request }) => Buffer.from(request.body).toString())).size,
      1,
    )
  })

  it('shows RETRYING with the reason, and ACTIVE when it accepts again', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', ({ at }) => (at < minuteMs ? 502 : 204))
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    const failing = await world.webhook('w')
    const { nextAttemptAt } = await world.progress('w')
    await world.clock.advance(10 * minuteMs)

    assert.equal(failing['state'], 'RETRYING')
    assert.equal(failing['stateReason'], 'The receiver answered 502.')
    assert.ok((nextAttemptAt ?? 0) > world.clock.now() - 10 * minuteMs)
    const mended = await world.webhook('w')
    assert.equal(mended['state'], 'ACTIVE')
    assert.equal(mended['stateReason'], null)
    assert.equal((await world.progress('w')).nextAttemptAt, null)
  })

  it('is left alone for as long as its Retry-After says', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', ({ at }) => (at === 0 ? status(429, '120') : 204))
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.notify('m2')
    await world.clock.advance(hourMs)

    assert.deepEqual(
      world.sent.map(({ at, messageIds }) => [at, messageIds]),
      [
        [0, ['m1']],
        [120 * secondMs, ['m1']],
        [120 * secondMs, ['m2']],
      ],
    )
  })

  it('is left alone as long when it refused a batch that is then halved', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', ({ at }) => (at === 0 ? status(400, '120') : 204))
    await world.notify('m1', 'm2')

    await world.start({ leaseTimes: unhurried })
    await world.clock.advance(119 * secondMs)
    const sent = world.sent.length
    await world.clock.advance(secondMs)

    assert.equal(sent, 1)
    assert.deepEqual(world.received('w'), ['m1', 'm2', 'm1', 'm2'])
  })

  it('keeps its schedule when the wall clock jumps', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 500)
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    world.clock.jump(-dayMs)
    await world.clock.advance(6 * secondMs)
    const attempts = world.sent.length
    world.clock.jump(hourMs)
    await world.clock.advance(36 * secondMs)

    assert.equal(attempts, 2)
    assert.equal(world.sent.length, 3)
  })

  it('is disabled by 410 at once, its backlog kept', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 410)
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.notify('m2')
    await world.clock.advance(dayMs)

    assert.equal(world.sent.length, 1)
    const webhook = await world.webhook('w')
    assert.equal(webhook['state'], 'DISABLED')
    assert.match(String(webhook['stateReason']), /410/)
  })

  it('is disabled after three days, and goes on where it stopped when it is made active', async (t) => {
    const world = new World(t, { seed: 5 })
    await world.addWebhook('w')
    let isUp = false
    world.receive('https://w.test/', () => (isUp ? 204 : 503))
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.clock.advance(4 * dayMs)
    const attempts = world.sent.length
    const disabled = await world.webhook('w')
    isUp = true
    await world.notify('m2')
    await world.clock.advance(dayMs)
    assert.equal(world.sent.length, attempts)
    await world.change('w', { state: 'ACTIVE', stateReason: null }, activated)

    assert.equal(world.sent[attempts - 1]?.at, 3 * dayMs)
    assert.equal(disabled['state'], 'DISABLED')
    assert.match(String(disabled['stateReason']), /^No delivery succeeded for 3 days\. /)
    assert.deepEqual(
      world.sent.slice(attempts).map(({ messageIds }) => messageIds),
      [['m1'], ['m2']],
    )
    assert.equal(world.sent[attempts]?.webhookId, world.sent[0]?.webhookId)
  })

  it('collects while it is not active', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { active: false })
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.clock.advance(dayMs)
    await world.notify('m2')
    assert.deepEqual(world.sent, [])
    await world.change('w', { active: true }, (progress) => progress)

    assert.deepEqual(world.received('w'), ['m1', 'm2'])
  })

  it('takes its backlog along to a new URL, at once', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 500)
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.clock.advance(hourMs)
    await world.change('w', { url: 'https://new.test/' }, activated)

    assert.deepEqual(world.received('new'), ['m1'])
    assert.equal(world.sent.at(-1)?.at, hourMs)
  })
})

describe('a record that a receiver refuses', () => {
  it('is found by halving, set aside after five refusals, and the rest flows on', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    const names = messageNames(100)
    world.receive('https://w.test/', ({ messageIds }) => (messageIds.includes('m42') ? 422 : 204))
    await world.notify(...names)

    await world.start({ leaseTimes: unhurried })
    const soon = world.sent.length
    await world.clock.advance(hourMs)

    const alone = world.sent.filter(({ messageIds }) => messageIds.join() === 'm42')
    const accepted = world.sent.filter(({ messageIds }) => !messageIds.includes('m42'))
    assert.ok(soon <= 15, `${soon} requests until it stood alone`)
    assert.equal(alone.length, 5)
    assert.equal(new Set(alone.map(({ webhookId }) => webhookId)).size, 1)
    assert.deepEqual(
      accepted.flatMap(({ messageIds }) => messageIds),
      names.filter((name) => name !== 'm42'),
    )
    const attempts = await world.deliveries('w')
    assert.match(
      attempts.findLast(({ messageIds }) => messageIds.join() === 'm42')?.error ?? '',
      /answered 422\. The record became a dead letter after 5 refusals\./,
    )
    assert.equal((await world.webhook('w'))['state'], 'ACTIVE')
  })

  it('lets batches grow back to their size', async (t) => {
    const world = new World(t)
    await world.addWebhook('w', { maxBatch: 16 })
    world.receive('https://w.test/', ({ messageIds }) => (messageIds.includes('m1') ? 400 : 204))
    await world.notify(...messageNames(80))

    await world.start({ leaseTimes: unhurried })
    await world.clock.advance(hourMs)

    const sizes = world.sent.map(({ messageIds }) => messageIds.length)
    assert.deepEqual(sizes, [16, 8, 4, 2, 1, 1, 1, 1, 1, 2, 4, 8, 16, 16, 16, 16, 1])
  })

  it('is no reason to be disabled when nothing else happens for days', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', ({ messageIds }) => (messageIds.includes('m1') ? 400 : 500))
    await world.start({ leaseTimes: unhurried })

    await world.notify('m1')
    await world.clock.advance(5 * dayMs)
    assert.equal((await world.webhook('w'))['state'], 'ACTIVE')
    await world.notify('m2')

    assert.equal((await world.webhook('w'))['state'], 'RETRYING')
  })

  it('is not one of many that are lost when everything is refused', async (t) => {
    const world = new World(t)
    await world.addWebhook('w')
    world.receive('https://w.test/', () => 401)
    await world.notify(...messageNames(100))

    await world.start({ leaseTimes: unhurried })
    await world.clock.advance(4 * dayMs)

    const setAside = (await world.deliveries('w')).filter(({ error }) =>
      /dead letter/.test(error ?? ''),
    )
    assert.ok(setAside.length < 12, `${setAside.length} were set aside`)
    assert.equal((await world.webhook('w'))['state'], 'DISABLED')
  })
})

/** What the rules make of a progress when the owner makes a webhook active or gives it another URL. */
function activated(progress: WebhookProgress): WebhookProgress {
  const before = { url: 'https://w.test/', active: true, state: 'DISABLED' }
  const change = { before, after: before, hiddenBefore: null, hiddenAfter: {}, isActivated: true }
  return changedProgress(progress, change)
}
