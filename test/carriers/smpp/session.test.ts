import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SubmitOutcome } from '../../../src/core/ports/carrier.ts'
import { statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { openBench, type Bench } from './support/carrier.ts'
import type { SubmitAnswer, Submitted } from './support/smsc.ts'

const taken = (...carrierMessageIds: string[]): SubmitOutcome => ({
  kind: 'SUBMITTED',
  carrierMessageIds,
})

const refused = (status: number): SubmitAnswer => ({ status, messageId: '' })

/** An answer for each submission in turn; the last one stays. */
function inTurn(...answers: readonly SubmitAnswer[]): () => SubmitAnswer {
  let next = 0
  return () => answers[Math.min(next++, answers.length - 1)] ?? null
}

/** Answers, later than an SMSC does by itself, that a part was taken. */
function answer(part: Submitted | undefined, messageId: string): void {
  part?.session.send({
    command: 'submit_sm_resp',
    status: 0,
    sequence: part.pdu.sequence,
    body: { message_id: messageId },
    tlvs: new Map(),
  })
}

const many = (bench: Bench, count: number): Promise<SubmitOutcome>[] =>
  Array.from({ length: count }, (_, index) => bench.submit({ id: `m${index}` }))

describe('binding', () => {
  it('binds as a transceiver with its system id and password', async () => {
    await using bench = await openBench({ settings: { systemType: 'VMA' } })

    const [bind] = bench.smsc.sessions[0]?.received ?? []

    assert.equal(bind?.command, 'bind_transceiver')
    assert.deepEqual(bind?.body, {
      system_id: 'nuncio',
      password: 'hush',
      system_type: 'VMA',
      interface_version: 0x34,
      addr_ton: 0,
      addr_npi: 0,
      address_range: '',
    })
    assert.equal(bench.carrier.condition().stateReason, null)
  })

  it('binds several transmitters and receivers apart', async () => {
    await using bench = await openBench({ settings: { bind: 'SEPARATE', binds: 2 } })
    await bench.until('all are bound', () => bench.smsc.sessions.every((each) => each.boundWith))

    const commands = bench.smsc.sessions.map(({ boundWith }) => boundWith).toSorted()
    const outcomes = await Promise.all(many(bench, 4))

    assert.deepEqual(commands, [
      'bind_receiver',
      'bind_receiver',
      'bind_transmitter',
      'bind_transmitter',
    ])
    assert.ok(outcomes.every(({ kind }) => kind === 'SUBMITTED'))
    assert.ok(bench.smsc.submitted.every(({ session }) => session.boundWith === 'bind_transmitter'))
    assert.equal(new Set(bench.smsc.submitted.map(({ session }) => session)).size, 2)
  })

  it('says why it is down, and never the password', async () => {
    await using bench = await openBench({
      behaviour: { onBind: () => statuses.ESME_RINVPASWD },
      bound: false,
    })
    await bench.until('it is down', () => bench.carrier.condition().state === 'DOWN')

    const { stateReason, lastError } = bench.carrier.condition()

    assert.equal(stateReason, 'the SMSC refused the bind: ESME_RINVPASWD')
    assert.equal(lastError?.detail, stateReason)
    assert.doesNotMatch(JSON.stringify([bench.logged, bench.carrier.condition()]), /hush/)
  })

  it('comes back after longer and longer waits, and at once where it was steady', async () => {
    await using bench = await openBench()
    await bench.smsc.stop()
    await bench.until('it is lost', () => bench.carrier.condition().state === 'CONNECTING')
    const attempts = () => bench.logged.filter((line) => line.startsWith('warn')).length
    const seen: number[] = []
    for (let minute = 0; minute < 4; minute += 1) {
      const before = attempts()
      for (let second = 0; second < 60; second += 1) {
        await bench.clock.advance(1000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      seen.push(attempts() - before)
    }
    await bench.smsc.listen()
    await bench.clock.advance(61_000)
    await bench.until('it is bound again', () => bench.carrier.condition().state === 'BOUND')

    assert.ok(seen[0] !== undefined && seen[0] >= 4 && seen[0] <= 8, `${seen}`)
    assert.ok(seen[3] !== undefined && seen[3] <= 3, `${seen}`)
  })

  it('unbinds when it is disposed', async () => {
    const bench = await openBench()
    const [session] = bench.smsc.sessions

    await bench[Symbol.asyncDispose]()

    assert.equal(session?.received.at(-1)?.command, 'unbind')
    assert.equal(bench.carrier.condition().state, 'STOPPED')
  })

  it('is not held up by an SMSC that does not answer its unbind', async () => {
    const bench = await openBench({ behaviour: { onEnquire: () => false } })
    for (const { socket } of bench.smsc.sessions) socket.removeAllListeners('data')

    await bench[Symbol.asyncDispose]()

    assert.equal(bench.carrier.condition().state, 'STOPPED')
  })

  it('binds again when the SMSC unbinds', async () => {
    await using bench = await openBench()
    const [first] = bench.smsc.sessions

    void first?.request('unbind', {})
    await bench.until('it answered', () =>
      Boolean(first?.received.some(({ command }) => command === 'unbind_resp')),
    )
    first?.socket.end()
    await bench.until('it is lost', () => bench.carrier.condition().state !== 'BOUND')
    await bench.clock.advance(2000)
    await bench.until('it is bound again', () => bench.carrier.condition().state === 'BOUND')

    assert.notEqual(bench.smsc.sessions[0], first)
  })

  it('asks an SMSC that is silent, and leaves one that does not answer', async () => {
    await using bench = await openBench({
      settings: { enquireLinkMs: 10_000, responseTimeoutMs: 5000 },
    })
    const [session] = bench.smsc.sessions
    const asked = () =>
      session?.received.filter(({ command }) => command === 'enquire_link').length ?? 0

    await bench.clock.advance(10_000)
    await bench.until('it asked', () => asked() === 1)
    bench.smsc.behaviour = { onEnquire: () => false }
    await bench.clock.advance(10_000)
    await bench.until('it asked again', () => asked() === 2)
    await bench.clock.advance(5000)

    await bench.until('it left', () => bench.carrier.condition().state !== 'BOUND')
    assert.match(bench.carrier.condition().lastError?.detail ?? '', /enquire_link/)
  })
})

describe('submitting', () => {
  it('gives the identifier of the SMSC', async () => {
    await using bench = await openBench()

    const outcome = await bench.submit()

    assert.deepEqual(outcome, taken('1'))
  })

  it('has no more in flight than its window, over all binds', async () => {
    await using bench = await openBench({
      settings: { window: 3, binds: 2 },
      behaviour: { onSubmit: () => null },
    })
    await bench.until('both are bound', () => bench.smsc.sessions.every((each) => each.boundWith))

    const outcomes = many(bench, 10)
    await bench.until('the window is full', () => bench.smsc.submitted.length === 6)
    await bench.clock.advance(100)

    assert.equal(bench.smsc.submitted.length, 6)
    assert.equal(bench.carrier.condition().inFlight, 6)
    await bench.smsc.stop()
    await bench.until('it is lost', () => bench.carrier.condition().state !== 'BOUND')
    await bench.clock.advance(10_000)
    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
    assert.equal(kinds.filter((kind) => kind === 'UNCERTAIN').length, 6)
    assert.equal(kinds.filter((kind) => kind === 'BUSY').length, 4)
  })

  it('does not send what is recalled while it waits for room, but all of what has begun', async () => {
    let isHeld = true
    let isDeleted = false
    await using bench = await openBench({
      settings: { window: 1 },
      behaviour: { onSubmit: () => (isHeld ? null : { status: 0, messageId: '7' }) },
    })
    const isRecalled = (): boolean => isDeleted
    const long = { body: 'a'.repeat(200), numberOfParts: 2 }

    const begun = bench.submit({ id: 'm1', ...long, isRecalled })
    await bench.until('the window is full', () => bench.smsc.submitted.length === 1)
    const others = [bench.submit({ id: 'm2', isRecalled }), bench.submit({ id: 'm3' })]
    isDeleted = true
    isHeld = false
    const [first] = bench.smsc.submitted
    answer(first, '1')
    const outcomes = await Promise.all([begun, ...others])

    assert.deepEqual(
      outcomes.map(({ kind }) => kind),
      ['SUBMITTED', 'BUSY', 'SUBMITTED'],
    )
    assert.equal(bench.smsc.submitted.length, 3)
  })

  it('sends no more parts a second than it may', async () => {
    await using bench = await openBench({ settings: { partsPerSecond: 10, window: 1000 } })

    const outcomes = many(bench, 40)
    for (let step = 0; step < 20; step += 1) {
      await bench.clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await bench.until('all of them came', () => bench.smsc.submitted.length >= 20)

    assert.ok(bench.smsc.submitted.length <= 22, String(bench.smsc.submitted.length))
    await bench.clock.advance(5000)
    await Promise.all(outcomes)
  })

  it('sends away what would wait for long, each to come at a time of its own', async () => {
    await using bench = await openBench({ settings: { partsPerSecond: 1, window: 1000 } })

    const outcomes = many(bench, 30)
    for (let step = 0; step < 8; step += 1) {
      await bench.clock.advance(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const delays = (await Promise.all(outcomes)).flatMap((outcome) =>
      outcome.kind === 'BUSY' ? [Math.round(outcome.retryAfterMs / 1000)] : [],
    )

    assert.ok(delays.length > 20)
    assert.equal(new Set(delays).size, delays.length)
  })

  it('slows down when it is told to, and loses nothing', async () => {
    let refusing = true
    await using bench = await openBench({
      settings: { window: 8 },
      behaviour: {
        onSubmit: (pdu) =>
          refusing
            ? refused(statuses.ESME_RTHROTTLED)
            : { status: 0, messageId: String(pdu.sequence) },
      },
    })

    const outcomes = many(bench, 20)
    await bench.until('it was told', () =>
      (bench.carrier.condition().lastError?.detail ?? '').includes('ESME_RTHROTTLED'),
    )
    refusing = false
    for (let step = 0; step < 40; step += 1) {
      await bench.clock.advance(100)
      await new Promise((resolve) => setImmediate(resolve))
    }

    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
    assert.deepEqual(new Set(kinds), new Set(['SUBMITTED']))
    assert.equal(bench.smsc.submitted.length, 20)
    const counted = (what: string): number => bench.counted.filter((each) => each === what).length
    assert.deepEqual(bench.counted.slice(0, 2), ['ESME_ROK from zero', 'UNANSWERED from zero'])
    assert.equal(counted('ESME_ROK'), 20)
    assert.ok(counted('ESME_RTHROTTLED') >= 8)
    // What was on its way together is told to be slower once.
    assert.ok(counted('throttled') < counted('ESME_RTHROTTLED'))
  })

  it('tells what is refused for good from what is worth another attempt', async () => {
    await using bench = await openBench({
      settings: { statuses: [{ status: '0x400', meaning: 'RETRY' }] },
      behaviour: {
        onSubmit: inTurn(
          refused(statuses.ESME_RINVSRCADR),
          refused(statuses.ESME_RINVDSTADR),
          refused(statuses.ESME_RSYSERR),
          refused(0x400),
          refused(0x401),
        ),
      },
    })

    const outcomes: SubmitOutcome[] = []
    for (let index = 0; index < 5; index += 1) outcomes.push(await bench.submit())

    assert.deepEqual(
      outcomes.map((outcome) => (outcome.kind === 'REJECTED' ? outcome.detail : outcome.kind)),
      ['REJECTED', 'UNDELIVERABLE', 'BUSY', 'BUSY', 'REJECTED'],
    )
  })

  it('is not sure of a message when the link breaks before its answer', async () => {
    await using bench = await openBench({ behaviour: { onSubmit: () => null } })

    const outcome = bench.submit()
    await bench.until('it came', () => bench.smsc.submitted.length === 1)
    bench.smsc.dropAll()

    assert.equal((await outcome).kind, 'UNCERTAIN')
  })

  it('is sure that a message was not sent which had no turn', async () => {
    await using bench = await openBench({ bound: false, behaviour: { onBind: () => null } })
    const signal = AbortSignal.abort()

    const outcome = await bench.submit({}, signal)

    assert.equal(outcome.kind, 'BUSY')
  })

  it('sends no part again that was taken', async () => {
    const long = { body: 'long '.repeat(100), numberOfParts: 4 }
    await using bench = await openBench({
      settings: { responseTimeoutMs: 5000 },
      behaviour: {
        onSubmit: inTurn({ status: 0, messageId: 'a' }, { status: 0, messageId: 'b' }, null),
      },
    })

    const first = bench.submit(long)
    await bench.until('the third came', () => bench.smsc.submitted.length === 3)
    await bench.clock.advance(5000)
    const outcome = await first
    bench.smsc.behaviour = {
      onSubmit: inTurn(...['c', 'd'].map((messageId) => ({ status: 0, messageId }))),
    }
    const again = await bench.submit(long)

    assert.equal(outcome.kind, 'UNCERTAIN')
    assert.deepEqual(again, taken('a', 'b', 'c', 'd'))
    assert.equal(bench.smsc.submitted.length, 5)
  })

  it('sends a message once whose answer came too late', async () => {
    await using bench = await openBench({
      settings: { responseTimeoutMs: 5000 },
      behaviour: { onSubmit: () => null },
    })

    const first = bench.submit()
    await bench.until('it came', () => bench.smsc.submitted.length === 1)
    await bench.clock.advance(5000)
    const outcome = await first
    const [late] = bench.smsc.submitted
    answer(late, 'late')
    await late?.session.request('enquire_link', {})
    const again = await bench.submit()

    assert.equal(outcome.kind, 'UNCERTAIN')
    assert.deepEqual(again, taken('late'))
    assert.equal(bench.smsc.submitted.length, 1)
  })

  it('sends nothing more of a message of which a part is refused', async () => {
    await using bench = await openBench({
      behaviour: {
        onSubmit: inTurn({ status: 0, messageId: 'a' }, refused(statuses.ESME_RINVDSTADR)),
      },
    })

    const outcome = await bench.submit({ body: 'long '.repeat(100), numberOfParts: 4 })

    const code = 'ESME_RINVDSTADR'
    assert.deepEqual(outcome, { kind: 'REJECTED', detail: 'UNDELIVERABLE', code, isBegun: true })
    assert.equal(bench.smsc.submitted.length, 1)
  })

  it('measures how many parts go a second', async () => {
    await using bench = await openBench()

    for (let index = 0; index < 10; index += 1) await bench.submit()
    await bench.clock.advance(1000)

    assert.equal(bench.carrier.condition().partsPerSecond, 2)
  })
})
