import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { typeIds } from '../../src/core/id.ts'
import { metrics } from '../../src/core/ports/metrics.ts'
import { broadcasting } from '../../src/gateway/broadcasts/broadcast-loop.ts'
import { failuresMax, sliceEvents } from '../../src/gateway/broadcasts/failed-slice.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock } from '../support/virtual-clock.ts'
import { openBroadcastStore, startBroadcasts } from './support/broadcast-api.ts'
import { contentDefaults } from './support/content-defaults.ts'

const minute = 60_000
const bad = '+4915100000001'
const good = '+4915100000002'

/**
 * A service whose clock stands still, and beside it what makes its broadcasts, with a clock of its own
 * and a fault: it throws for one recipient for as long as `isBroken`.
 */
async function broken(t: TestContext) {
  const api = await startBroadcasts(t, 'memory', { store: await openBroadcastStore('memory') })
  const clock = virtualClock(Date.UTC(2026, 0, 1, 2))
  const registry = metrics()
  const logged: string[] = []
  const log = (_: string, event: string): void => void logged.push(event)
  const fault = { isBroken: true, tries: 0 }
  const making = broadcasting({
    store: api.store,
    clock,
    newId: typeIds(clock, seededRandom(1)),
    log,
    events: sliceEvents(log, registry),
    defaults: {
      ...contentDefaults,
      costOf: async (_, { to, numberOfParts }) => {
        if (to === bad) fault.tries += 1
        if (to === bad && fault.isBroken) throw new TypeError('a fault')
        return numberOfParts
      },
    },
  })
  making.start()
  t.after(() => making[Symbol.asyncDispose]())
  const scheduledAt = '2026-01-01T01:00:00Z'
  const to = (addresses: readonly string[]) => ({ to: { addresses }, body: 'hello', scheduledAt })
  const make = async (addresses: readonly string[]): Promise<string> => {
    const { id } = await api.broadcast(to(addresses))
    return id
  }
  return { api, clock, registry, logged, fault, make }
}

describe('a broadcast of which a slice fails for a fault of the service', () => {
  it('is tried again more and more seldom, and others go on meanwhile', async (t) => {
    const { api, clock, fault, make } = await broken(t)

    const id = await make([good, bad])
    const other = await make([good])
    await clock.advance(9000)
    const atFirst = fault.tries
    await clock.advance(61_000)

    assert.deepEqual([atFirst, fault.tries], [1, 4])
    assert.equal((await api.read(other)).state, 'DONE')
    assert.notEqual((await api.read(id)).state, 'FAILED')
  })

  it('is FAILED in the end, with a reason, a line in the log and a count', async (t) => {
    const { api, clock, registry, logged, fault, make } = await broken(t)

    const id = await make([good, bad])
    await clock.advance(60 * minute)
    const { state, stateReason, endedAt } = await api.read(id)

    assert.deepEqual([state, stateReason, endedAt], ['FAILED', 'INTERNAL_ERROR', null])
    assert.equal(fault.tries, failuresMax)
    assert.equal(logged.filter((event) => event === 'broadcast abandoned').length, 1)
    const text = await registry.text()
    assert.match(text, /^nuncio_broadcast_slices_failed_total 10$/m)
    assert.match(text, /^nuncio_broadcasts_failed_total 1$/m)
  })

  it('goes on from where it stopped when its owner says so', async (t) => {
    const { api, clock, fault, make } = await broken(t)
    const id = await make([good, bad])
    await clock.advance(60 * minute)

    fault.isBroken = false
    await api.patch(`/v1/broadcasts/${id}`, { state: 'RUNNING' })
    await clock.advance(5000)

    const { state, stateReason, recipients } = await api.read(id)
    assert.deepEqual([state, stateReason, recipients.messages], ['DONE', null, 2])
  })

  it('can be paused, is not tried again while it is, and goes on from there', async (t) => {
    const { api, clock, fault, make } = await broken(t)
    const hundred = Array.from({ length: 100 }, (_, at) => `+49151000010${100 + at}`)
    const id = await make([...hundred, bad])
    await clock.advance(10_000)
    const path = `/v1/broadcasts/${id}`

    const before = await api.read(id)
    const paused = await api.patch(path, { state: 'PAUSED' })
    const tries = fault.tries
    await clock.advance(10 * minute)
    const still = await api.read(id)
    const triesAfter = fault.tries
    fault.isBroken = false
    const resumed = await api.patch(path, { state: 'RUNNING' })
    await clock.advance(5000)
    const done = await api.read(id)

    assert.deepEqual([before.state, before.recipients.seen], ['RUNNING', 100])
    assert.deepEqual([paused.status, paused.json.state], [200, 'PAUSED'])
    assert.deepEqual([still.state, still.recipients.seen, triesAfter], ['PAUSED', 100, tries])
    assert.deepEqual([resumed.status, resumed.json.state], [200, 'RUNNING'])
    assert.deepEqual([done.state, done.recipients.messages], ['DONE', 101])
  })

  it('can be cancelled', async (t) => {
    const { api, clock, make } = await broken(t)
    const id = await make([good, bad])
    await clock.advance(60 * minute)

    await api.patch(`/v1/broadcasts/${id}`, { state: 'CANCELLED' })

    assert.equal((await api.read(id)).state, 'CANCELLED')
  })

  it('counts its failures anew after a slice that went well', async (t) => {
    const { api, clock, fault, make } = await broken(t)
    const id = await make([good, bad])
    await clock.advance(10 * minute)

    fault.isBroken = false
    await clock.advance(10 * minute)

    assert.equal((await api.read(id)).state, 'DONE')
    assert.ok(fault.tries < failuresMax)
  })
})
