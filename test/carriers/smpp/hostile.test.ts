import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encodePdu } from '../../../src/carriers/smpp/pdus/pdu-codec.ts'
import { type Pdu, statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { seededRandom } from '../../support/seeded-random.ts'
import { openBench, type Bench } from './support/carrier.ts'
import { noTlvs, plainBody, type Session } from './support/smsc.ts'

const header = (length: number, id: number, sequence = 1, status = 0): Buffer => {
  const octets = Buffer.alloc(16)
  for (const [index, value] of [length, id, status, sequence].entries()) {
    octets.writeUInt32BE(value, index * 4)
  }
  return octets
}

const receipt = (id: number): Pdu => ({
  command: 'deliver_sm',
  status: 0,
  sequence: id,
  body: { ...plainBody, esm_class: 4, short_message: Buffer.from(`id:${id} stat:DELIVRD`) },
  tlvs: noTlvs,
})

/** What the carrier sent last over a link. */
const lastOf = (session: Session | undefined): Pdu | undefined => session?.received.at(-1)

/** After all that it still hands a message over, on this link or the next. */
async function stillWorks(bench: Bench): Promise<void> {
  for (let attempt = 0; bench.carrier.condition().state !== 'BOUND'; attempt += 1) {
    assert.ok(attempt < 100, 'it never came back')
    await bench.clock.advance(1000)
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.equal((await bench.submit({ id: 'last' })).kind, 'SUBMITTED')
}

describe('a hostile SMSC', () => {
  for (const length of [0, 15, 131_073, 0x7fffffff, 0xffffffff]) {
    it(`that says a PDU has ${length} octets is left, and bound to again`, async () => {
      await using bench = await openBench()
      const [session] = bench.smsc.sessions

      session?.sendOctets(header(length, 5))
      await bench.until('it left', () => bench.carrier.condition().state !== 'BOUND')

      await bench.until('it is told', () => lastOf(session)?.command === 'generic_nack')
      assert.equal(lastOf(session)?.status, statuses.ESME_RINVCMDLEN)
      await stillWorks(bench)
    })
  }

  it('that speaks HTTP is left', async () => {
    await using bench = await openBench()

    bench.smsc.sessions[0]?.sendOctets(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'))
    await bench.until('it left', () => bench.carrier.condition().state !== 'BOUND')

    await stillWorks(bench)
  })

  it('that sends unknown commands is told so', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions

    session?.sendOctets(header(16, 0x0777, 42))
    await bench.until('it is told', () => lastOf(session)?.command === 'generic_nack')

    assert.equal(lastOf(session)?.status, statuses.ESME_RINVCMDID)
    assert.equal(lastOf(session)?.sequence, 42)
    await stillWorks(bench)
  })

  it('that cuts a delivery short has it refused, and the link stays', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions
    const whole = encodePdu(receipt(9))

    for (let length = 16; length < whole.length; length += 1) {
      const cut = Buffer.from(whole.subarray(0, length))
      cut.writeUInt32BE(length)
      session?.sendOctets(cut)
    }
    await session?.request('enquire_link', {})

    const answers = session?.received.filter(({ command }) => command === 'deliver_sm_resp') ?? []
    assert.ok(answers.length > 0)
    assert.ok(answers.every(({ status }) => status === statuses.ESME_RX_P_APPN))
    assert.deepEqual(bench.events, [])
    await stillWorks(bench)
  })

  it('that never answers costs no more than its window, and is left', async () => {
    await using bench = await openBench({
      settings: { window: 4, responseTimeoutMs: 2000 },
      behaviour: { onSubmit: () => null, onEnquire: () => false },
    })

    const outcomes = Array.from({ length: 8 }, (_, index) => bench.submit({ id: `m${index}` }))
    await bench.until('the window is full', () => bench.smsc.submitted.length === 4)
    bench.smsc.behaviour = { ...bench.smsc.behaviour, onBind: () => null }
    for (let step = 0; step < 20; step += 1) {
      await bench.clock.advance(1000)
      await new Promise((resolve) => setImmediate(resolve))
    }

    const kinds = (await Promise.all(outcomes)).map(({ kind }) => kind)
    assert.ok(!kinds.includes('SUBMITTED'))
    assert.equal(bench.smsc.submitted.length, kinds.filter((kind) => kind === 'UNCERTAIN').length)
    bench.smsc.behaviour = {}
    bench.smsc.dropAll()
    await stillWorks(bench)
  })

  it('that never answers the bind is tried again', async () => {
    await using bench = await openBench({
      bound: false,
      settings: { responseTimeoutMs: 2000 },
      behaviour: { onBind: () => null },
    })
    await bench.until('it connected', () => bench.smsc.sessions[0]?.received.length === 1)

    await bench.clock.advance(2000)
    await bench.until('it gave up', () => bench.carrier.condition().state === 'DOWN')
    bench.smsc.behaviour = {}

    await stillWorks(bench)
  })

  it('that answers twice, and to what was never asked, is put up with', async () => {
    await using bench = await openBench({
      behaviour: {
        onSubmit: (pdu, session) => {
          const answer = (sequence: number, message_id: string): void =>
            session.send({
              command: 'submit_sm_resp',
              status: 0,
              sequence,
              body: { message_id },
              tlvs: noTlvs,
            })
          answer(pdu.sequence + 1000, 'to nothing')
          answer(0, 'to nothing')
          answer(0xffffffff, 'to nothing')
          session.send({
            command: 'enquire_link_resp',
            status: 0,
            sequence: pdu.sequence,
            body: {},
            tlvs: noTlvs,
          })
          answer(pdu.sequence, `right ${pdu.sequence}`)
          answer(pdu.sequence, `again ${pdu.sequence}`)
          return null
        },
      },
    })

    const outcomes = [await bench.submit({ id: 'a' }), await bench.submit({ id: 'b' })]

    const ids = outcomes.flatMap((each) =>
      each.kind === 'SUBMITTED' ? each.carrierMessageIds : [],
    )
    assert.equal(ids.length, 2)
    assert.ok(
      ids.every((id) => id.startsWith('right')),
      ids.join(),
    )
    assert.equal(bench.carrier.condition().inFlight, 0)
  })

  it('that sends one octet at a time is understood', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions
    session?.socket.setNoDelay(true)

    for (const octet of encodePdu(receipt(5))) {
      session?.sendOctets(Buffer.of(octet))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await bench.until('it is understood', () => bench.events.length === 1)

    await stillWorks(bench)
  })

  it('that answers submissions with identifiers of every form loses none', async () => {
    const given = ['', ' ', '0', 'x'.repeat(500), '\u00ff\u0001', 'id:1']
    await using bench = await openBench({
      behaviour: { onSubmit: () => ({ status: 0, messageId: given.shift() ?? 'end' }) },
    })

    for (let index = 0; index < 6; index += 1) {
      const outcome = await bench.submit({ id: `m${index}` })

      assert.ok(outcome.kind === 'SUBMITTED' && outcome.carrierMessageIds[0] !== '')
    }
  })

  it('that floods with receipts is read no faster than they are stored', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions
    const before = process.memoryUsage().heapUsed
    const flood = Buffer.concat(
      Array.from({ length: 50_000 }, (_, index) => encodePdu(receipt(index + 1))),
    )

    session?.sendOctets(flood)
    await bench.until('all are stored', () => bench.events.length === 50_000)

    assert.equal(new Set(bench.events.map((event) => JSON.stringify(event))).size, 50_000)
    assert.ok(process.memoryUsage().heapUsed - before < 200 * 1024 * 1024)
    await stillWorks(bench)
  })

  it('that sends noise neither stops the carrier nor makes it grow', async () => {
    const random = seededRandom(7)
    await using bench = await openBench()

    for (let round = 0; round < 60; round += 1) {
      const noise = Buffer.from(random.bytes(Math.floor(random.fraction() * 400)))
      const length = 16 + noise.length
      const ids = [0x00000005, 0x80000004, 0x00000103, 0x80000000, 0x00000015, 0x00000006]
      const id = ids[round % ids.length] ?? 5
      bench.smsc.sessions[0]?.sendOctets(Buffer.concat([header(length, id, round), noise]))
      await bench.clock.advance(500)
      await new Promise((resolve) => setImmediate(resolve))
    }

    await stillWorks(bench)
  })
})
