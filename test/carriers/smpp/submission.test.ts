import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OutgoingMessage } from '../../../src/core/ports/carrier.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { decodePdu } from '../../../src/carriers/smpp/pdus/pdu-codec.ts'
import type { PduOf } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { withProfile, type DeclaredSmppSettings } from '../../../src/carriers/smpp/settings.ts'
import { partWriter } from '../../../src/carriers/smpp/pdus/submission.ts'
import { aMessage } from '../support/a-message.ts'
import { smppSettings } from './support/carrier.ts'

const now = Date.UTC(2026, 0, 1)

/** What a message is submitted as. */
function submitted(
  fields: Partial<OutgoingMessage> = {},
  settings: JsonObject = {},
): readonly PduOf<'submit_sm'>[] {
  const read = withProfile(smppSettings(settings) as unknown as DeclaredSmppSettings)
  return partWriter(read, [])(aMessage(fields), 0x1234, now).map((octets) => {
    const decoded = decodePdu(octets)
    assert.ok(decoded.ok && decoded.pdu.command === 'submit_sm')
    return decoded.pdu
  })
}

const body = (...given: Parameters<typeof submitted>) => submitted(...given)[0]?.body
const hex = (octets: Uint8Array | undefined): string => Buffer.from(octets ?? []).toString('hex')
const long = { body: 'a'.repeat(200), numberOfParts: 2 }

describe('addresses of a submission', () => {
  it('say their type by their form', () => {
    const types = (['Nuncio', '+4930123456', '12345'] as const).map((from) => {
      const sent = body({ from })
      return [sent?.source_addr, sent?.source_addr_ton, sent?.source_addr_npi]
    })

    assert.deepEqual(types, [
      ['Nuncio', 5, 0],
      ['4930123456', 1, 1],
      ['12345', 3, 0],
    ])
    assert.deepEqual([body()?.destination_addr, body()?.dest_addr_ton], ['4915112345678', 1])
  })

  it('say what is set up instead', () => {
    const settings = { sourceTon: 0, sourceNpi: 8, destinationTon: 2, destinationNpi: 9 }

    const sent = body({}, settings)

    assert.deepEqual(
      [sent?.source_addr_ton, sent?.source_addr_npi, sent?.dest_addr_ton, sent?.dest_addr_npi],
      [0, 8, 2, 9],
    )
  })
})

describe('the text of a submission', () => {
  it('names its data coding, with the message class where it is not the usual', () => {
    const codings = (['TEXT', 'UNICODE', 'BINARY'] as const).map((encoding) => {
      const text = encoding === 'BINARY' ? '00FF' : 'Ç'
      return [1, 0, 2].map(
        (messageClass) => body({ encoding, body: text, messageClass })?.data_coding,
      )
    })

    assert.deepEqual(codings, [
      [0x00, 0xf0, 0xf2],
      [0x08, 0x18, 0x1a],
      [0x04, 0xf4, 0xf6],
    ])
  })

  it('is written in the GSM alphabet, in UCS-2, or as it is', () => {
    assert.equal(hex(body({ body: '@€Ç' })?.short_message), '001b6509')
    assert.equal(hex(body({ body: '😀', encoding: 'UNICODE' })?.short_message), 'd83dde00')
    assert.equal(hex(body({ body: '00FF', encoding: 'BINARY' })?.short_message), '00ff')
  })

  it('has a header with a reference of 8 bits in each part', () => {
    const parts = submitted(long, { longMessages: 'UDH8' })

    assert.deepEqual(
      parts.map((part) => [part.body.esm_class, hex(part.body.short_message.subarray(0, 7))]),
      [
        [0x40, '05000334020161'],
        [0x40, '05000334020261'],
      ],
    )
  })

  it('has a header with a reference of 16 bits in each part', () => {
    const parts = submitted(long, { longMessages: 'UDH16' })

    assert.deepEqual(
      parts.map((part) => hex(part.body.short_message.subarray(0, 7))),
      ['06080412340201', '06080412340202'],
    )
  })

  it('has its place in TLVs', () => {
    const parts = submitted(long, { longMessages: 'SAR' })

    assert.deepEqual(
      parts.map(({ body, tlvs }) => [
        body.esm_class,
        ...[0x020c, 0x020e, 0x020f].map((tag) => hex(tlvs.get(tag))),
      ]),
      [
        [0, '1234', '02', '01'],
        [0, '1234', '02', '02'],
      ],
    )
    assert.equal(submitted({}, { longMessages: 'SAR' })[0]?.tlvs.size, 0)
  })

  it('is one payload', () => {
    const parts = submitted(long, { longMessages: 'PAYLOAD' })
    const short = submitted({}, { longMessages: 'PAYLOAD' })

    assert.equal(parts.length, 1)
    assert.equal(parts[0]?.body.short_message.length, 0)
    assert.equal(parts[0]?.tlvs.get(0x0424)?.length, 200)
    assert.equal(hex(short[0]?.body.short_message), hex(Buffer.from('hello')))
  })
})

describe('a submission', () => {
  it('ends when the validity of its message ends, in UTC', () => {
    const validUntil = Date.UTC(2026, 10, 21, 13, 14, 15, 678)

    assert.equal(body({ validUntil })?.validity_period, '261121131415600+')
    assert.equal(body()?.validity_period, '')
  })

  it('asks for the receipts that are wanted', () => {
    const asked = ['ALL', 'FAILED', 'NONE'].map(
      (receipts) => body({}, { receipts })?.registered_delivery,
    )

    assert.deepEqual(asked, [1, 2, 0])
  })

  it('carries what is set up for every message', () => {
    const tlvs = [{ tag: '0x1401', value: '0A0b' }]

    const [sent] = submitted({ protocolId: 64 }, { tlvs, serviceType: 'CMT' })

    assert.equal(sent?.body.service_type, 'CMT')
    assert.equal(sent?.body.protocol_id, 64)
    assert.equal(hex(sent?.tlvs.get(0x1401)), '0a0b')
  })
})
