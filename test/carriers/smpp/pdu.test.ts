import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decodePdu, encodePdu } from '../../../src/carriers/smpp/pdus/pdu-codec.ts'
import { frames } from '../../../src/carriers/smpp/session/connection.ts'
import {
  commands,
  type PduCommand,
  type PduForm,
  type Pdu,
} from '../../../src/carriers/smpp/pdus/pdu.ts'

/** The codec of another project, as a judge of ours. */
const { PDU } = createRequire(import.meta.url)('smpp') as {
  readonly PDU: {
    new (command: string, fields: object): { toBuffer(): Buffer }
    fromBuffer(octets: Buffer): Record<string, unknown>
  }
}

const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((each) => Buffer.from(each))

const values: Readonly<Record<PduForm, fc.Arbitrary<unknown>>> = {
  int8: fc.integer({ min: 0, max: 255 }),
  cstring: fc.string({
    maxLength: 40,
    unit: fc.integer({ min: 1, max: 255 }).map((code) => String.fromCharCode(code)),
  }),
  octets: octets(255),
}

/** Any PDU with a body. */
const pdus: fc.Arbitrary<Pdu> = fc
  .constantFrom(...(Object.keys(commands) as PduCommand[]))
  .chain((command) =>
    fc.record({
      command: fc.constant(command),
      status: fc.constant(0),
      sequence: fc.integer({ min: 1, max: 0x7fffffff }),
      body: fc.record(
        Object.fromEntries(commands[command].layout.map(([name, form]) => [name, values[form]])),
      ),
      tlvs: fc
        .uniqueArray(fc.tuple(fc.integer({ min: 0, max: 0xffff }), octets(300)), {
          maxLength: 4,
          selector: ([tag]) => tag,
        })
        .map((entries) => new Map(entries)),
    }),
  )
  .map((pdu) => pdu as unknown as Pdu)

describe('PDUs', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(pdus, (pdu) => {
        const decoded = decodePdu(encodePdu(pdu))

        assert.ok(decoded.ok)
        assert.deepEqual(JSON.stringify(decoded.pdu.body), JSON.stringify(pdu.body))
        assert.deepEqual([...decoded.pdu.tlvs], [...pdu.tlvs])
        assert.equal(decoded.pdu.command, pdu.command)
        assert.equal(decoded.pdu.sequence, pdu.sequence)
      }),
    )
  })

  it('are read whatever octets stand in them, without a fault and not beyond their end', () => {
    fc.assert(
      fc.property(
        pdus,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }))),
        fc.nat(),
        (pdu, changes, cut) => {
          const whole = encodePdu(pdu)
          for (const [place, octet] of changes) whole[16 + (place % (whole.length + 1))] = octet
          const cutOff = whole.subarray(0, Math.max(16, whole.length - (cut % whole.length)))
          const secret = Buffer.concat([cutOff, Buffer.from('SECRET-BEHIND-IT')])

          const decoded = decodePdu(secret.subarray(0, cutOff.length))

          assert.doesNotMatch(JSON.stringify(decoded), /SECRET/)
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('are read by another codec as we wrote them', () => {
    const written = encodePdu({
      command: 'submit_sm',
      status: 0,
      sequence: 7,
      body: {
        service_type: 'CMT',
        source_addr_ton: 5,
        source_addr_npi: 0,
        source_addr: 'Nuncio',
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: '4915112345678',
        esm_class: 0,
        protocol_id: 64,
        priority_flag: 1,
        schedule_delivery_time: '',
        validity_period: '',
        registered_delivery: 1,
        replace_if_present_flag: 0,
        data_coding: 0xf4,
        sm_default_msg_id: 0,
        short_message: Buffer.from([1, 2, 3]),
      },
      tlvs: new Map([[0x020c, Buffer.from([1, 44])]]),
    })

    const read = PDU.fromBuffer(written)

    assert.equal(read['command'], 'submit_sm')
    assert.equal(read['sequence_number'], 7)
    assert.equal(read['source_addr'], 'Nuncio')
    assert.equal(read['destination_addr'], '4915112345678')
    assert.equal(read['protocol_id'], 64)
    assert.equal(read['data_coding'], 0xf4)
    assert.equal(read['sar_msg_ref_num'], 300)
    assert.deepEqual(read['short_message'], { message: Buffer.from([1, 2, 3]) })
  })

  it('are read as another codec wrote them', () => {
    const written = new PDU('deliver_sm', {
      sequence_number: 9,
      source_addr: '4915112345678',
      destination_addr: '12345',
      esm_class: 4,
      data_coding: 0,
      short_message: Buffer.from('id:1 stat:DELIVRD'),
      receipted_message_id: 'abc',
      message_state: 2,
    }).toBuffer()

    const decoded = decodePdu(written)

    assert.ok(decoded.ok && decoded.pdu.command === 'deliver_sm')
    assert.equal(decoded.pdu.body.source_addr, '4915112345678')
    assert.equal(Buffer.from(decoded.pdu.body.short_message).toString(), 'id:1 stat:DELIVRD')
    assert.equal(decoded.pdu.tlvs.get(0x001e)?.length, 4)
    assert.deepEqual([...(decoded.pdu.tlvs.get(0x0427) ?? [])], [2])
  })

  it('of an answer may end early, of a request not', () => {
    const answer = Buffer.from('0000001380000004000000000000000141424300', 'hex').subarray(0, 19)
    const request = Buffer.from('0000001400000005000000000000000100010100', 'hex')

    const [read, unread] = [decodePdu(answer), decodePdu(request)]

    assert.ok(read.ok && read.pdu.command === 'submit_sm_resp')
    assert.equal(read.pdu.body.message_id, 'ABC')
    assert.ok(!unread.ok && unread.command === 'deliver_sm')
  })

  it('are refused where SMPP cannot carry something', () => {
    const bind = (password: string): Pdu => ({
      command: 'bind_transceiver',
      status: 0,
      sequence: 1,
      body: {
        system_id: 'a',
        password,
        system_type: '',
        interface_version: 52,
        addr_ton: 0,
        addr_npi: 0,
        address_range: '',
      },
      tlvs: new Map(),
    })

    assert.throws(() => encodePdu(bind('a\0b')), /password/)
    assert.throws(() => encodePdu(bind('п')), /password/)
  })
})

describe('a stream of octets', () => {
  it('is the same PDUs however it is cut', () => {
    fc.assert(
      fc.property(fc.array(pdus, { maxLength: 8 }), fc.array(fc.nat()), (sent, cuts) => {
        const stream = Buffer.concat(sent.map(encodePdu))
        const places = cuts.map((cut) => cut % (stream.length + 1)).toSorted((a, b) => a - b)
        const incoming = frames()
        const read: string[] = []

        let from = 0
        for (const to of [...places, stream.length]) {
          const followed = incoming.take(Buffer.from(stream.subarray(from, to)), (pdu) => {
            read.push(pdu.toString('hex'))
          })
          assert.ok(followed)
          from = to
        }

        assert.deepEqual(
          read,
          sent.map((pdu) => encodePdu(pdu).toString('hex')),
        )
      }),
    )
  })

  for (const length of [0, 1, 15, 131_073, 0xffffffff]) {
    it(`cannot be followed behind a length of ${length}`, () => {
      const octets = Buffer.alloc(16)
      octets.writeUInt32BE(length)

      assert.equal(
        frames().take(octets, () => {}),
        false,
      )
      const slowly = frames()
      assert.deepEqual(
        [...octets.subarray(0, 4)].map((octet) => slowly.take(Buffer.of(octet), () => {})),
        [true, true, true, false],
      )
    })
  }
})
