import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultAccount } from '../../src/core/account.ts'
import type {
  Carrier,
  CarrierEvent,
  OutgoingMessage,
  PendingPart,
} from '../../src/core/ports/carrier.ts'
import { EventsNotStored } from '../../src/core/ports/events-not-stored.ts'
import { typeIds } from '../../src/core/id.ts'
import { simulator } from '../../src/carriers/simulator/simulator.ts'
import { seededRandom } from '../support/seeded-random.ts'
import { virtualClock, type VirtualClock } from '../support/virtual-clock.ts'

const message: OutgoingMessage = {
  account: defaultAccount,
  id: 'm1',
  from: 'NUNCIO',
  to: '+4915112345678',
  body: 'hello',
  encoding: 'TEXT',
  protocolId: 0,
  messageClass: 1,
  numberOfParts: 1,
  priority: 1,
  userSuppliedId: null,
  validUntil: null,
}

function open(clock: VirtualClock, seed = 1): Carrier {
  const newId = typeIds(clock, seededRandom(seed))
  return simulator({ id: 'carrier_simulator', delayMs: 200, clock, newId, log: () => {} })
}

async function* none(): AsyncIterable<PendingPart> {}

async function* these(parts: readonly PendingPart[]): AsyncIterable<PendingPart> {
  yield* parts
}

async function submitted(carrier: Carrier, changed: Partial<OutgoingMessage> = {}) {
  const outcome = await carrier.submit({ ...message, ...changed }, AbortSignal.any([]))
  assert.ok(outcome.kind === 'SUBMITTED')
  return outcome.carrierMessageIds
}

describe('what the simulator reports', () => {
  it('falls due together in few reports, and with one timer', async () => {
    const clock = virtualClock()
    const reports: number[] = []
    await using carrier = open(clock)
    await carrier.start(async (_, events) => void reports.push(events.length), none)

    for (let count = 0; count < 1200; count += 1) await submitted(carrier)
    const timers = clock.waiting()
    await clock.advance(200)

    assert.equal(timers, 1)
    assert.deepEqual(reports, [200, 200, 200, 200, 200, 200])
    assert.equal(clock.waiting(), 0)
  })

  it('is reported again alone where the rest of the report was stored', async () => {
    const clock = virtualClock()
    const reports: (readonly CarrierEvent[])[] = []
    await using carrier = open(clock)
    await carrier.start(async (_, events) => {
      reports.push(events)
      const [, second] = events
      if (second !== undefined) throw new EventsNotStored(new Set([second]), new Error('away'))
    }, none)

    for (let count = 0; count < 3; count += 1) await submitted(carrier)
    await clock.advance(200)
    await submitted(carrier)
    await clock.advance(200)
    const before = reports.length
    await clock.advance(5000)

    assert.deepEqual([before, reports.map(({ length }) => length)], [2, [3, 1, 1]])
    assert.deepEqual(reports[2], [reports[0]?.[1]])
  })

  it('is reported again until it is taken', async () => {
    const clock = virtualClock()
    const reported: CarrierEvent[] = []
    let attempts = 0
    await using carrier = open(clock)
    await carrier.start(async (_, events) => {
      attempts += 1
      if (attempts < 3) throw new Error('the store is away')
      reported.push(...events)
    }, none)

    const [first] = await submitted(carrier)
    await clock.advance(100)
    const [second] = await submitted(carrier)
    await clock.advance(5000)

    assert.deepEqual(
      reported.map((event) => event.kind === 'RECEIPT' && event.carrierMessageId),
      [first, second],
    )
  })

  it('gives every part an identifier of its own, whatever run it is of', async () => {
    const clock = virtualClock()
    await using one = open(clock, 1)
    await using other = open(clock, 2)

    const ids = [
      ...(await submitted(one, { numberOfParts: 12 })),
      ...(await submitted(one)),
      ...(await submitted(other)),
    ]

    assert.equal(new Set(ids).size, 14)
  })

  it('begins again after a restart with what had no receipt, replies included', async () => {
    const clock = virtualClock()
    const reported: CarrierEvent[] = []
    const stopped = open(clock, 1)
    const reply = { ...message, to: '+10000000004', numberOfParts: 3 }
    const ids = await submitted(stopped, reply)
    await stopped[Symbol.asyncDispose]()

    await using carrier = open(clock, 2)
    const pending = ids.map((carrierMessageId) => ({ carrierMessageId, message: reply }))
    const gone = { carrierMessageId: 'gone', message: null }
    await carrier.start(
      async (_, events) => void reported.push(...events),
      () => these([...pending, gone]),
    )
    await clock.advance(200)

    assert.deepEqual(
      reported.flatMap((event) => (event.kind === 'RECEIPT' ? [event.carrierMessageId] : [])),
      ids,
    )
    assert.equal(reported.filter(({ kind }) => kind === 'INCOMING').length, 1)
  })

  it('puts a reply and the receipt of the first part into one report', async () => {
    const clock = virtualClock()
    const reports: (readonly CarrierEvent[])[] = []
    await using carrier = open(clock)
    await carrier.start(async (_, events) => void reports.push(events), none)

    for (let count = 0; count < 300; count += 1) {
      await submitted(carrier, { id: `m${count}`, to: '+10000000004', numberOfParts: 2 })
    }
    await clock.advance(200)

    for (const events of reports) {
      const firsts = events.filter(
        (event) => event.kind === 'RECEIPT' && event.carrierMessageId.endsWith('-1'),
      )
      assert.equal(events.filter(({ kind }) => kind === 'INCOMING').length, firsts.length)
    }
  })

  it('stops when it is disposed', async () => {
    const clock = virtualClock()
    let reports = 0
    const carrier = open(clock)
    await carrier.start(async () => void (reports += 1), none)

    await submitted(carrier)
    await carrier[Symbol.asyncDispose]()
    await clock.advance(1000)

    assert.equal(reports, 0)
    assert.equal(clock.waiting(), 0)
  })
})
