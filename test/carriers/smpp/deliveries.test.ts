import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { EventsNotStored } from '../../../src/core/ports/events-not-stored.ts'
import { StoreUnavailable } from '../../../src/core/ports/store.ts'
import { type PduOf, statuses } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { deliveries } from '../../../src/carriers/smpp/deliveries.ts'
import { openBench, type Bench } from './support/carrier.ts'
import { noTlvs, plainBody } from './support/smsc.ts'

type Fields = Partial<PduOf<'deliver_sm'>['body']>

const deliver = (bench: Bench, fields: Fields) =>
  bench.smsc.sessions[0]?.request('deliver_sm', { ...plainBody, ...fields })

const receipt = (text: string): Fields => ({ esm_class: 4, short_message: Buffer.from(text) })

describe('what an SMSC brings', () => {
  it('is answered when it is durable', async () => {
    await using bench = await openBench()

    const answer = await deliver(bench, receipt('id:7 stat:DELIVRD'))

    assert.equal(answer?.status, 0)
    assert.deepEqual(bench.events, [
      {
        kind: 'RECEIPT',
        carrierMessageId: '7',
        outcome: { type: 'DELIVERED', detail: null },
        code: null,
      },
    ])
  })

  it('is asked for again when it could not be stored', async () => {
    await using bench = await openBench()
    bench.refusals.push(new StoreUnavailable('the disk is full'))

    const first = await deliver(bench, receipt('id:7 stat:DELIVRD'))
    const again = await deliver(bench, receipt('id:7 stat:DELIVRD'))

    assert.equal(first?.status, statuses.ESME_RX_T_APPN)
    assert.equal(again?.status, 0)
    assert.equal(bench.events.length, 1)
  })

  it('shows at the carrier that it could not be stored', async () => {
    await using bench = await openBench()
    bench.refusals.push(new StoreUnavailable('the disk is full'))

    await deliver(bench, receipt('id:7 stat:DELIVRD'))

    assert.equal(
      bench.carrier.condition().lastError?.detail,
      'deliveries could not be stored: StoreUnavailable: the disk is full',
    )
  })

  it('does not hold up what came beside it', async () => {
    await using bench = await openBench()
    bench.refusals.push(new Error('together'), new Error('the first'))

    const answers = await Promise.all(
      ['1', '2', '3'].map((id) => deliver(bench, receipt(`id:${id} stat:DELIVRD`))),
    )

    const refused = answers.filter((answer) => answer?.status !== 0)
    assert.ok(refused.length <= 2)
    assert.equal(bench.events.length, 3 - refused.length)
  })

  it('is asked for again alone where the rest was stored', async () => {
    const answers: number[][] = []
    const taken = deliveries({
      settings: { receiptIds: 'AS_IS', defaultCharset: 'GSM' },
      report: async ([first]) => {
        if (first !== undefined) throw new EventsNotStored(new Set([first]), new Error('away'))
      },
      log: () => {},
      onFault: () => {},
    })

    for (const id of ['1', '2', '3']) {
      const body = { ...plainBody, ...receipt(`id:${id} stat:DELIVRD`) }
      const delivery = {
        command: 'deliver_sm',
        status: 0,
        sequence: 1,
        body,
        tlvs: noTlvs,
      } as const
      taken.take(delivery, (status) => answers.push([Number(id), status]))
    }
    await taken.settled()

    assert.deepEqual(answers, [
      [1, statuses.ESME_RX_T_APPN],
      [2, 0],
      [3, 0],
    ])
  })

  it('is made durable in several commits if it is much, so that none takes long', async () => {
    const reports: number[] = []
    const answers: number[] = []
    let open = 0
    let openMost = 0
    const taken = deliveries({
      settings: { receiptIds: 'AS_IS', defaultCharset: 'GSM' },
      report: async (events) => {
        reports.push(events.length)
        openMost = Math.max(openMost, (open += events.length))
        await new Promise((resolve) => setImmediate(resolve))
        open -= events.length
      },
      log: () => {},
      onFault: () => {},
    })

    for (let sequence = 1; sequence <= 550; sequence += 1) {
      const body = { ...plainBody, short_message: Buffer.from('Hello') }
      const delivery = { command: 'deliver_sm', status: 0, sequence, body, tlvs: noTlvs } as const
      taken.take(delivery, () => answers.push(sequence))
    }
    await taken.settled()

    assert.deepEqual(reports, [100, 100, 100, 100, 100, 50])
    assert.equal(openMost, 400)
    assert.deepEqual(
      answers,
      Array.from({ length: 550 }, (_, index) => index + 1),
    )
  })

  it('says how far a message has come, and is taken without effect if it names no message', async () => {
    await using bench = await openBench()

    const answers = [
      await deliver(bench, receipt('id:7 stat:ENROUTE')),
      await deliver(bench, receipt('stat:DELIVRD')),
      await deliver(bench, { ...receipt('id:7 stat:DELIVRD'), esm_class: 0x20 }),
    ]

    assert.deepEqual(
      answers.map((answer) => answer?.status),
      [0, 0, 0],
    )
    const event = { kind: 'RECEIPT', carrierMessageId: '7', code: null }
    const outcome = { type: 'SENT', detail: 'ENROUTE' }
    assert.deepEqual(bench.events, [
      { ...event, outcome },
      { ...event, outcome },
    ])
  })

  it('can be a receipt in data_sm', async () => {
    await using bench = await openBench()
    const { service_type, source_addr_ton, source_addr_npi, source_addr } = plainBody
    const { dest_addr_ton, dest_addr_npi, destination_addr } = plainBody

    const answer = await bench.smsc.sessions[0]?.request(
      'data_sm',
      {
        service_type,
        source_addr_ton,
        source_addr_npi,
        source_addr,
        dest_addr_ton,
        dest_addr_npi,
        destination_addr,
        esm_class: 4,
        registered_delivery: 0,
        data_coding: 0,
      },
      new Map([
        [0x001e, Buffer.from('7\0')],
        [0x0427, Uint8Array.of(2)],
      ]),
    )

    assert.equal(answer?.command, 'data_sm_resp')
    assert.equal(bench.events.length, 1)
  })
})

describe('a message that comes in', () => {
  it('is read by its data coding', async () => {
    await using bench = await openBench()

    await deliver(bench, { short_message: Buffer.from('1b65', 'hex') })
    await deliver(bench, { data_coding: 3, short_message: Buffer.from('é', 'latin1') })
    await deliver(bench, { data_coding: 8, short_message: Buffer.from('d83dde00', 'hex') })
    await deliver(bench, { data_coding: 0xf6, short_message: Buffer.from('00ff', 'hex') })

    assert.deepEqual(
      bench.events.map((event) =>
        event.kind === 'INCOMING' ? [event.body, event.encoding, event.messageClass] : event,
      ),
      [
        ['€', 'TEXT', 1],
        ['é', 'TEXT', 1],
        ['😀', 'UNICODE', 1],
        ['00FF', 'BINARY', 2],
      ],
    )
  })

  it('has its addresses as ours are written', async () => {
    await using bench = await openBench()
    const addresses: readonly (readonly [ton: number, address: string])[] = [
      [1, '4915112345678'],
      [0, '4915112345678'],
      [0, '004915112345678'],
      [0, '+4915112345678'],
      [5, 'Bank'],
      [3, '12345'],
      [0, '12345'],
    ]

    for (const [source_addr_ton, source_addr] of addresses) {
      await deliver(bench, { source_addr_ton, source_addr })
    }

    assert.deepEqual(
      bench.events.map((event) => (event.kind === 'INCOMING' ? event.from : event)),
      [...Array.from({ length: 4 }, () => '+4915112345678'), 'Bank', '12345', '12345'],
    )
  })

  it('in parts names its place, by its header or by its TLVs', async () => {
    await using bench = await openBench()
    const [session] = bench.smsc.sessions

    await deliver(bench, { esm_class: 0x40, short_message: Buffer.from('0500032a020141', 'hex') })
    await deliver(bench, { esm_class: 0x40, short_message: Buffer.from('060804012a030242', 'hex') })
    await session?.request(
      'deliver_sm',
      { ...plainBody, short_message: Buffer.from('C') },
      new Map([
        [0x020c, Uint8Array.of(1, 42)],
        [0x020e, Uint8Array.of(2)],
        [0x020f, Uint8Array.of(2)],
      ]),
    )

    assert.deepEqual(
      bench.events.map((event) =>
        event.kind === 'INCOMING_PART'
          ? [event.reference, event.total, event.part, event.content.octets]
          : event,
      ),
      [
        ['udh8-42', 2, 1, '41'],
        ['udh16-298', 3, 2, '42'],
        ['sar-298', 2, 2, '43'],
      ],
    )
  })

  it('is one message where its place cannot be', async () => {
    await using bench = await openBench()

    await deliver(bench, { esm_class: 0x40, short_message: Buffer.from('0500032a020341', 'hex') })
    await deliver(bench, { esm_class: 0x40, short_message: Buffer.from('0500032a010141', 'hex') })
    await deliver(bench, { esm_class: 0x40, short_message: Buffer.from('50000341', 'hex') })

    assert.deepEqual(
      bench.events.map((event) => event.kind),
      ['INCOMING', 'INCOMING', 'INCOMING'],
    )
  })
})
