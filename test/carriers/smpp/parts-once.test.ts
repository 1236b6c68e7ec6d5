import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { openBench, type Bench } from './support/carrier.ts'
import type { SubmitAnswer } from './support/smsc.ts'

const long = { body: 'long '.repeat(100), numberOfParts: 4 }
const throttled: SubmitAnswer = { status: statuses.ESME_RTHROTTLED, messageId: '' }

/** Answers each submission in its turn; what is beyond is taken. */
function inTurn(bench: Bench, ...answers: readonly SubmitAnswer[]): void {
  const left = [...answers]
  let count = 0
  const onSubmit = (): SubmitAnswer => {
    const answer = left.length > 0 ? left.shift() : { status: 0, messageId: `later${(count += 1)}` }
    return answer ?? null
  }
  bench.smsc.behaviour = { onSubmit }
}

const took = (messageId: string): SubmitAnswer => ({ status: 0, messageId })
const later: SubmitAnswer = { status: statuses.ESME_RSYSERR, messageId: '' }

describe('a part that the SMSC took', () => {
  it('is not sent again where a later part is postponed', async () => {
    await using bench = await openBench()
    inTurn(bench, took('a'), took('b'), later)

    const first = await bench.submit(long)
    const again = await bench.submit(long)

    assert.equal(first.kind, 'UNCERTAIN')
    assert.deepEqual(again, {
      kind: 'SUBMITTED',
      carrierMessageIds: ['a', 'b', 'later1', 'later2'],
    })
    assert.equal(bench.smsc.submitted.length, 4)
  })

  it('is not sent again however often a later part is postponed', async () => {
    await using bench = await openBench()
    inTurn(bench, took('a'), later, later, took('b'), later)

    const kinds: string[] = []
    for (let turn = 0; turn < 4; turn += 1) kinds.push((await bench.submit(long)).kind)

    assert.deepEqual(kinds, ['UNCERTAIN', 'UNCERTAIN', 'UNCERTAIN', 'SUBMITTED'])
    assert.equal(bench.smsc.submitted.length, 4)
  })
})

describe('a message of which nothing was taken', () => {
  it('is surely not taken where its first part is postponed', async () => {
    await using bench = await openBench()
    inTurn(bench, later)

    const { kind } = await bench.submit(long)

    assert.equal(kind, 'BUSY')
  })

  it('is surely not taken where it was throttled until there was no time left', async () => {
    await using bench = await openBench()
    const giveUp = new AbortController()
    bench.smsc.behaviour = { onSubmit: () => throttled }

    const outcome = bench.submit({}, giveUp.signal)
    await bench.until('it was throttled', () => bench.counted.includes('throttled'))
    giveUp.abort()

    assert.equal((await outcome).kind, 'BUSY')
  })
})

describe('what has ended leaves nothing behind', () => {
  it('neither a timer, nor a socket, nor a listener, when the link was lost again and again', async () => {
    await using bench = await openBench()
    const { signal } = new AbortController()
    const reconnect = async (): Promise<readonly number[]> => {
      await bench.submit({}, signal)
      bench.smsc.dropAll()
      await bench.until('it is down', () => bench.carrier.condition().state !== 'BOUND')
      for (let second = 0; second < 120; second += 1) {
        await bench.clock.advance(1000)
        await new Promise((resolve) => setImmediate(resolve))
        if (bench.carrier.condition().state === 'BOUND') break
      }
      await bench.until('it is bound', () => bench.carrier.condition().state === 'BOUND')
      await bench.submit({}, signal)
      return [bench.clock.waiting(), bench.smsc.sessions.length, sockets()]
    }

    const first = await reconnect()
    const others = []
    for (let turn = 0; turn < 5; turn += 1) others.push(await reconnect())

    assert.deepEqual(others, Array(5).fill(first))
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  it('neither a timer nor a listener, when requests were abandoned', async () => {
    await using bench = await openBench()
    bench.smsc.behaviour = { onSubmit: () => null }
    const giveUp = new AbortController()
    const before = bench.clock.waiting()

    const outcomes = [1, 2, 3].map((index) => bench.submit({ id: `m${index}` }, giveUp.signal))
    await bench.until('they came', () => bench.smsc.submitted.length === 3)
    giveUp.abort()
    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
    await bench.clock.advance(30_000)

    assert.deepEqual(kinds, ['UNCERTAIN', 'UNCERTAIN', 'UNCERTAIN'])
    assert.equal(getEventListeners(giveUp.signal, 'abort').length, 0)
    assert.ok(bench.clock.waiting() <= before, `${bench.clock.waiting()} wait, ${before} did`)
  })
})

/** How many connections this process has, of either side. */
function sockets(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length
}
