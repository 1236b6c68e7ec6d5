import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { OutgoingMessage } from '../../../src/core/ports/carrier.ts'
import type { JsonObject } from '../../../src/core/json.ts'
import { decodePdu } from '../../../src/carriers/smpp/pdus/pdu-codec.ts'
import type { PduOf } from '../../../src/carriers/smpp/pdus/pdu.ts'
import { withProfile, type DeclaredSmppSettings } from '../../../src/carriers/smpp/settings.ts'
import { partWriter, smppScheme } from '../../../src/carriers/smpp/pdus/submission.ts'
import { smppType } from '../../../src/carriers/smpp/smpp.ts'
import { unpackSeptets } from '../../../src/encoding/septets.ts'
import { aMessage } from '../support/a-message.ts'
import { smppSettings } from './support/carrier.ts'

const now = Date.UTC(2026, 0, 1)

/** The PDUs that a message is submitted as. */
function submitted(
  settings: JsonObject,
  fields: Partial<OutgoingMessage> = {},
): readonly PduOf<'submit_sm'>[] {
  const read = withProfile(smppSettings(settings) as unknown as DeclaredSmppSettings)
  return partWriter(read, [])(aMessage(fields), 7, now).map((octets) => {
    const decoded = decodePdu(octets)
    assert.ok(decoded.ok && decoded.pdu.command === 'submit_sm')
    return decoded.pdu
  })
}

const body = (...given: Parameters<typeof submitted>) => submitted(...given)[0]?.body
const hex = (octets: Uint8Array | undefined): string => Buffer.from(octets ?? []).toString('hex')
const faults = (settings: JsonObject, hasRoutes = true) =>
  smppType().faults?.(smppSettings(settings), hasRoutes) ?? []

describe('the charset of outgoing texts', () => {
  it('is Latin-1 or ASCII, and UCS-2 for other characters', () => {
    const latin1 = body({ outgoingCharset: 'LATIN1' }, { body: 'é@$' })
    const euro = body({ outgoingCharset: 'LATIN1' }, { body: '€' })
    const ascii = body({ outgoingCharset: 'ASCII' }, { body: '@$_' })
    const accent = body({ outgoingCharset: 'ASCII' }, { body: 'é' })

    assert.deepEqual([hex(latin1?.short_message), latin1?.data_coding], ['e94024', 0])
    assert.deepEqual([hex(euro?.short_message), euro?.data_coding], ['20ac', 8])
    assert.equal(hex(ascii?.short_message), '40245f')
    assert.deepEqual([hex(accent?.short_message), accent?.data_coding], ['00e9', 8])
  })

  it('is packed GSM, whose seven spare bits are no @', () => {
    const packed = body({ outgoingCharset: 'GSM_PACKED' }, { body: '1234567' })?.short_message
    const parts = submitted({ outgoingCharset: 'GSM_PACKED' }, { body: 'a'.repeat(161) })

    assert.deepEqual([...unpackSeptets(packed ?? new Uint8Array())], [...Buffer.from('1234567\r')])
    const octets = parts.map(({ body: { short_message: text } }) => text)
    assert.deepEqual(
      octets.map((text) => text.length <= 140),
      [true, true],
    )
    const [first] = octets
    const text = unpackSeptets(first?.subarray(6) ?? new Uint8Array(), { headerOctets: 6 })
    assert.equal(Buffer.from(text).toString(), 'a'.repeat(153))
  })

  it('decides the number of parts', () => {
    const scheme = smppScheme(
      withProfile(smppSettings({ outgoingCharset: 'ASCII' }) as unknown as DeclaredSmppSettings),
    )

    assert.deepEqual(scheme, { longMessages: 'UDH8', charset: 'ASCII', nationalTables: false })
  })
})

describe('the parameters of a submission', () => {
  it('have the data coding of the encoding and the class', () => {
    const dataCodings = [
      { encoding: 'TEXT', messageClass: 0, dataCoding: 0x10 },
      { encoding: 'UNICODE', dataCoding: 24 },
    ]

    const codings = [
      body({ dataCodings }, { messageClass: 0 }),
      body({ dataCodings }, { messageClass: 2 }),
      body({ dataCodings }, { messageClass: 3, body: 'ж', encoding: 'UNICODE' }),
    ].map((sent) => sent?.data_coding)

    assert.deepEqual(codings, [0x10, 0xf2, 24])
  })

  it('have a validity that is absolute, relative or absent', () => {
    const day = 86_400_000
    const at = (validityPeriod: string | null, leftMs: number) =>
      body({ validityPeriod }, { validUntil: now + leftMs })?.validity_period

    assert.equal(at(null, day), '260102000000000+')
    assert.equal(at('RELATIVE', 2 * day + 3 * 3_600_000 + 61_000), '000002030101000R')
    assert.equal(at('RELATIVE', 700 * day), '000099000000000R')
    assert.equal(at('ABSENT', day), '')
  })

  it('have the priority and the + of the recipient', () => {
    const settings = { priorityFlags: [0, 1, 2, 3], destinationPlus: true }

    const urgent = body(settings, { priority: 3 })

    assert.equal(urgent?.priority_flag, 3)
    assert.equal(urgent?.destination_addr, '+4915112345678')
    assert.equal(body({}, { priority: 3 })?.priority_flag, 0)
  })

  it('have a sender that patterns change', () => {
    const sourceRewrites = [
      { pattern: '^[+]49(.*)$', replacement: '0$1', ton: 2, npi: 1 },
      { pattern: '^[+](.*)$', replacement: '+$1' },
      { pattern: '^Nuncio$', replacement: 'NUNCIO' },
    ]

    const senders = ['+4930123456', '+27821234567', 'Nuncio', '12345'].map((from) => {
      const sent = body({ sourceRewrites }, { from })
      return [sent?.source_addr, sent?.source_addr_ton, sent?.source_addr_npi]
    })

    assert.deepEqual(senders, [
      ['030123456', 2, 1],
      ['+27821234567', 1, 1],
      ['NUNCIO', 5, 0],
      ['12345', 3, 0],
    ])
  })

  it('have optional parameters with values of the message', () => {
    const tlvs = [
      { tag: '0x1400', text: 'ref {{userSuppliedId}} to {{toDigits}}' },
      { tag: '0x1401', text: '{{userSuppliedId}}' },
      { tag: '0x1402', value: '00ff' },
    ]

    const [named] = submitted({ tlvs }, { userSuppliedId: 'order 7' })
    const [plain] = submitted({ tlvs })

    const texts = (pdu: PduOf<'submit_sm'> | undefined) =>
      [...(pdu?.tlvs ?? [])].map(([tag, value]) => [tag, Buffer.from(value).toString('latin1')])
    assert.deepEqual(texts(named), [
      [0x1400, 'ref order 7 to 4915112345678'],
      [0x1401, 'order 7'],
      [0x1402, '\u0000ÿ'],
    ])
    assert.deepEqual(
      texts(plain).map(([tag]) => tag),
      [0x1400, 0x1402],
    )
  })
})

describe('a profile', () => {
  it('replaces what the settings leave open', () => {
    const profile = { profile: 'VIBES' }
    const validUntil = now + 86_400_000

    const sent = body(profile, { from: '+12025550123', body: 'é', validUntil })
    const own = body({ ...profile, validityPeriod: 'RELATIVE' }, { validUntil })

    assert.deepEqual(
      [sent?.source_addr, sent?.source_addr_ton, sent?.dest_addr_ton, sent?.destination_addr],
      ['12025550123', 0, 0, '+4915112345678'],
    )
    assert.deepEqual([sent?.data_coding, sent?.validity_period], [8, ''])
    assert.equal(own?.validity_period, '000001000000000R')
  })

  it('has what the description of its message centre demands', () => {
    const texts = ['NVIA', 'OPENMARKET', 'SINCH', 'VIBES_GSM'].map((profile) => {
      const sent = body({ profile }, { from: '12345', body: '@' })
      return [
        sent?.service_type,
        sent?.source_addr_ton,
        sent?.source_addr_npi,
        hex(sent?.short_message),
        sent?.data_coding,
      ]
    })
    const named = body({ profile: 'SINCH' }, { from: 'Nuncio' })

    assert.deepEqual(texts, [
      ['', 3, 0, '00', 1],
      ['OMV4', 3, 0, '00', 0],
      ['', 0, 1, '00', 0],
      ['', 0, 0, '00', 0],
    ])
    assert.deepEqual([named?.source_addr_ton, named?.source_addr_npi], [5, 0])
    assert.equal(body({ profile: 'OPENMARKET', serviceType: '' })?.service_type, '')
  })
})

describe('faulty settings', () => {
  it('are named with the field and the rule', () => {
    const found = faults({
      sourceRewrites: [
        { pattern: '(', replacement: 'x' },
        { pattern: '^(a+)$', replacement: '$2' },
        { pattern: '(?=a)', replacement: 'x' },
      ],
      tlvs: [
        { tag: '0x1400', value: '00', text: 'x' },
        { tag: '0x1400', text: '{{body}}' },
      ],
    }).map((fault) => ('pointer' in fault ? [fault.pointer, fault.detail] : []))

    assert.deepEqual(
      found.map(([pointer]) => pointer),
      [
        '/sourceRewrites/0/pattern',
        '/sourceRewrites/1/replacement',
        '/sourceRewrites/2/pattern',
        '/tlvs/0',
        '/tlvs/1/tag',
        '/tlvs/1/text',
      ],
    )
    assert.match(found[0]?.[1] ?? '', /^must be a regular expression/)
    assert.equal(found[1]?.[1], 'must not use $2: the pattern has 1 groups')
    assert.match(found[5]?.[1] ?? '', /^must not use \{\{body\}\}: the placeholders are id, /)
  })

  it('match any pattern in linear time', () => {
    const sourceRewrites = [{ pattern: '^(a+)+$', replacement: 'x' }]

    const sent = body({ sourceRewrites }, { from: `${'a'.repeat(40)}!` })

    assert.deepEqual(faults({ sourceRewrites }), [])
    assert.equal(sent?.source_addr.length, 41)
  })
})
