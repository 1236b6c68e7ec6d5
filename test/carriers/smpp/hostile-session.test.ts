import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodePdu } from '../../../src/carriers/smpp/pdus/pdu-codec.ts'
import { type Pdu, type PduCommand, statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { openBench, type Bench } from './support/carrier.ts'
import { noTlvs, plainBody, type Session } from './support/smsc.ts'

const plain = (command: PduCommand, sequence: number, status = 0): Pdu =>
  ({ command, status, sequence, body: {}, tlvs: noTlvs }) as Pdu

const delivery = (sequence: number, text = `id:${sequence} stat:DELIVRD`): Pdu => ({
  command: 'deliver_sm',
  status: 0,
  sequence,
  body: { ...plainBody, esm_class: 4, short_message: Buffer.from(text) },
  tlvs: noTlvs,
})

const answersTo = (session: Session | undefined, command: PduCommand) =>
  session?.received.filter((each) => each.command === command) ?? []

/** A PDU with octets appended, and its length corrected. */
function extended(pdu: Pdu, more: Uint8Array): Buffer {
  const octets = Buffer.concat([encodePdu(pdu), more])
  octets.writeUInt32BE(octets.length)
  return octets
}

async function assertWorks(bench: Bench): Promise<void> {
  for (let attempt = 0; bench.carrier.condition().state !== 'BOUND'; attempt += 1) {
    assert.ok(attempt < 100, 'the carrier did not bind again')
    await bench.clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal((await bench.submit({ id: 'last' })).kind, 'SUBMITTED')
}

describe('A hostile SMSC in a session', () => {
  it('that sends PDUs before it accepts the bind has deliveries refused', async () => {
    await using bench = await openBench({
      behaviour: {
        onBind: (_, session) => {
          session.send(delivery(7))
          session.send(plain('enquire_link', 8))
          session.send({ ...plain('submit_sm_resp', 9), body: { message_id: 'x' } } as Pdu)
          session.send(plain('generic_nack', 99, 3))
          return 0
        },
      },
    })
    const [session] = bench.smsc.sessions
    await session?.request('enquire_link', {})

    const [refused] = answersTo(session, 'deliver_sm_resp')
    assert.deepEqual([refused?.sequence, refused?.status], [7, statuses.ESME_RINVBNDSTS])
    assert.equal(answersTo(session, 'enquire_link_resp').length, 2)
    assert.deepEqual(bench.events, [])
    await assertWorks(bench)
  })

  it('that unbinds before it accepts the bind, and again and again, is bound to later', async () => {
    let binds = 0
    await using bench = await openBench({
      bound: false,
      behaviour: {
        onBind: (_, session) => {
          binds += 1
          if (binds > 3) return 0
          for (let sequence = 1; sequence <= 100; sequence += 1)
            session.send(plain('unbind', sequence))
          return binds === 1 ? null : 0
        },
      },
    })

    for (let attempt = 0; binds < 4; attempt += 1) {
      assert.ok(attempt < 100, 'the carrier did not bind again')
      await bench.clock.advance(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }
    await assertWorks(bench)
  })

  it('that repeats a delivery gets an answer to each', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions

    for (let round = 0; round < 3; round += 1) session?.send(delivery(5))
    await bench.until('all are answered', () => answersTo(session, 'deliver_sm_resp').length === 3)

    assert.ok(answersTo(session, 'deliver_sm_resp').every(({ status }) => status === 0))
    await assertWorks(bench)
  })

  it('that refuses what was never sent, without end, has no effect', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions
    const storm = Array.from({ length: 20_000 }, (_, index) =>
      encodePdu(plain('generic_nack', (index * 2_654_435_761) >>> 0, index % 256)),
    )

    session?.sendOctets(Buffer.concat(storm))
    await session?.request('enquire_link', {})

    assert.equal(bench.carrier.condition().state, 'BOUND')
    assert.ok(bench.logged.every((line) => !line.startsWith('warn')))
    await assertWorks(bench)
  })

  it('that refuses a submission by generic_nack ends it once', async () => {
    let nacks = 0
    await using bench = await openBench({
      behaviour: {
        onSubmit: (pdu, session) => {
          nacks += 1
          if (nacks > 1) return { status: 0, messageId: 'x' }
          for (let round = 0; round < 3; round += 1) {
            session.send(plain('generic_nack', pdu.sequence, statuses.ESME_RINVCMDLEN))
          }
          return null
        },
      },
    })

    const outcome = await bench.submit({ id: 'first' })

    assert.equal(outcome.kind, 'REJECTED')
    await assertWorks(bench)
  })

  it('that sends a TLV beyond the end of its PDU has a delivery refused', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions

    for (const tlv of ['04240010ff', '0424ffff', '0424', '04', '001e00050000']) {
      session?.sendOctets(extended(delivery(3), Buffer.from(tlv, 'hex')))
    }
    await session?.request('enquire_link', {})

    const answers = answersTo(session, 'deliver_sm_resp')
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array(5).fill(statuses.ESME_RX_P_APPN),
    )
    assert.deepEqual(bench.events, [])
    await assertWorks(bench)
  })

  it('that sends a TLV beyond the end of a response has it counted by its status and identifier', async () => {
    await using bench = await openBench({
      behaviour: {
        onSubmit: ({ sequence }, session) => {
          const answer = { ...plain('submit_sm_resp', sequence), body: { message_id: 'p1' } } as Pdu
          session.sendOctets(extended(answer, Buffer.from('001dffff', 'hex')))
          return null
        },
      },
    })

    const outcome = bench.submit({ id: 'first' })
    await bench.until('it left', () => bench.smsc.submitted.length === 1)
    await bench.smsc.sessions[0]?.request('enquire_link', {})
    await bench.clock.advance(20_000)

    assert.deepEqual(await outcome, { kind: 'SUBMITTED', carrierMessageIds: ['p1'] })
  })

  it('that asks without end, and does not read, is read no faster than it reads', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions
    const count = 200_000
    session?.socket.pause()
    const before = process.memoryUsage().rss

    session?.sendOctets(
      Buffer.concat(
        Array.from({ length: count }, (_, index) => encodePdu(plain('enquire_link', index + 1))),
      ),
    )
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    const grown = process.memoryUsage().rss - before
    session?.socket.resume()
    await bench.until(
      'all are answered',
      () => answersTo(session, 'enquire_link_resp').length === count,
    )

    assert.ok(grown < 100 * 1024 * 1024, String(grown))
    await assertWorks(bench)
  })

  it('that sends strange receipts and messages has every text stored as every store can', async () => {
    const random = seededRandom(3)
    const pick = (count: number): number => Math.floor(random.fraction() * count)
    const strange = [0, 0xd8, 0, 0xdc, 0xff, 1, 27, 10, 65, 58]
    const octets = (most: number): Buffer =>
      Buffer.from(Array.from({ length: pick(most) }, () => strange[pick(10)] ?? 0))
    const text = (): string => octets(60).toString('latin1').replaceAll('\0', '')
    await using bench = await openBench()
    const [session] = bench.smsc.sessions

    for (let sequence = 1; sequence <= 3000; sequence += 1) {
      const words = ['id:', octets(9), ' stat:DELIVRD err:', octets(9)]
      const short_message =
        pick(2) === 0 ? octets(99) : Buffer.concat(words.map((each) => Buffer.from(each)))
      const tlvs = new Map(
        [0x001e, 0x0423, 0x0424, 0x0427, 0x020c, 0x020e, 0x020f]
          .slice(pick(8))
          .map((tag) => [tag, octets(pick(20) === 0 ? 2000 : 12)]),
      )
      const esm_class = [0, 4, 0x40, 0x44, 0x20][pick(5)] ?? 0
      const data_coding = [0, 1, 3, 4, 8, 0xf0, 255][pick(7)] ?? 0
      const addresses = { source_addr: text(), destination_addr: text(), source_addr_ton: pick(6) }
      session?.send({
        command: 'deliver_sm',
        status: 0,
        sequence,
        tlvs,
        body: { ...plainBody, ...addresses, esm_class, data_coding, short_message },
      })
    }
    await bench.until(
      'all are answered',
      () => answersTo(session, 'deliver_sm_resp').length === 3000,
    )

    assert.ok(answersTo(session, 'deliver_sm_resp').every(({ status }) => status === 0))
    for (const event of bench.events) {
      const texts = JSON.stringify(event)
      assert.ok(!texts.includes('\\u0000') && !texts.includes('\\ud'), texts)
      if (event.kind === 'RECEIPT') assert.ok(event.carrierMessageId.length <= 255)
      else assert.match(`${event.from}${event.to}`, /^\P{Cc}{0,42}$/u)
    }
    await assertWorks(bench)
  })

  it('that names an endless identifier has the message counted as taken, without it', async () => {
    await using bench = await openBench({
      behaviour: { onSubmit: () => ({ status: 0, messageId: 'x'.repeat(60_000) }) },
    })

    const outcome = await bench.submit()

    assert.ok(outcome.kind === 'SUBMITTED')
    assert.match(outcome.carrierMessageIds.join(), /^part_/)
  })
})
