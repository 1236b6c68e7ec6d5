import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nationalLanguages } from '../../src/core/part-scheme.ts'
import { chooseEncoding } from '../../src/encoding/choose-encoding.ts'
import { dataCodingOf, encodeMessage } from '../../src/encoding/encode-message.ts'
import {
  readDataCoding,
  decodeMessage,
  type IncomingPart,
} from '../../src/encoding/decode-message.ts'
import {
  plainForm,
  noShifts,
  packSeptets,
  type Shifts,
  unpackSeptets,
} from '../../src/encoding/septets.ts'
import { readHeader, writeHeader } from '../../src/encoding/user-data-header.ts'
import { bodies } from './support/bodies.ts'
import fc from 'fast-check'

const anything = { encoding: null, languages: nationalLanguages }

function part(hex: string, dataCoding: number, shifts: Shifts = noShifts): IncomingPart {
  return { dataCoding, shifts, octets: Uint8Array.fromHex(hex) }
}

describe('an incoming message', () => {
  it('is what was sent, whatever the parts are joined by', () => {
    fc.assert(
      fc.property(
        bodies,
        fc.constantFrom('UDH8', 'UDH16', 'SAR', 'PAYLOAD'),
        (body, longMessages) => {
          const form = chooseEncoding(body, anything)

          const { parts } = encodeMessage(body, form, { longMessages, reference: 7 })
          const received = parts.map(({ header, octets }) => {
            const userData = Uint8Array.of(...(header ?? []), ...octets)
            const read = header === null ? null : readHeader(userData)
            assert.ok(header === null || read !== null)
            const dataCoding = dataCodingOf(form.encoding, 1)
            return { dataCoding, shifts: read ?? noShifts, octets: read?.rest ?? octets }
          })

          assert.deepEqual(decodeMessage(received), {
            encoding: form.encoding,
            body,
            messageClass: null,
          })
        },
      ),
    )
  })

  it('is read by the coding that it names', () => {
    assert.equal(decodeMessage([part('00411b65', 0x00)]).body, '@A€')
    assert.equal(decodeMessage([part('4142', 0x01)]).body, 'AB')
    assert.equal(decodeMessage([part('41e9', 0x03)]).body, 'Aé')
    assert.equal(decodeMessage([part('bfe0', 0x06)]).body, 'Пр')
    assert.equal(decodeMessage([part('e9', 0x07)]).body, 'י')
    assert.equal(decodeMessage([part('0436d83dde00', 0x08)]).body, 'ж😀')
    assert.equal(decodeMessage([part('b0a1', 0x0e)]).body, '가')
    assert.equal(decodeMessage([part('e9', 0x00)], 'LATIN1').body, 'é')
  })

  it('is BINARY in full where a part of it is no text', () => {
    const octets = (hex: string, dataCoding: number): void => {
      const { encoding, body } = decodeMessage([part('4142', dataCoding), part(hex, dataCoding)])
      assert.deepEqual([encoding, body], ['BINARY', `4142${hex.toUpperCase()}`])
    }

    for (const dataCoding of [0x02, 0x04, 0x05, 0x14, 0x1c, 0x20, 0x80, 0xb0, 0xf4])
      octets('43', dataCoding)
    octets('80', 0x00)
    octets('1b', 0x00)
    octets('ff', 0x01)
    octets('d83d', 0x08)
    octets('0000', 0x08)
    octets('43', 0x08)
  })

  it('is one text where a pair of surrogates or an escape is split between its parts', () => {
    assert.equal(decodeMessage([part('d83d', 8), part('de00', 8)]).body, '😀')
    assert.equal(decodeMessage([part('411b', 0), part('65', 0)]).body, 'A€')
  })

  it('has after an escape that means nothing the character of the locking table', () => {
    const turkish = { locking: null, single: 'turkish' } as const

    assert.equal(decodeMessage([part('1b411b1b1b20', 0)]).body, 'A  ')
    assert.equal(decodeMessage([part('1b731b41', 0, turkish)]).body, 'şA')
  })

  it('has TEXT as its encoding where GSM 03.38 has it, else UNICODE', () => {
    assert.equal(decodeMessage([part('0041', 8)]).encoding, 'TEXT')
    assert.equal(decodeMessage([part('0436', 8)]).encoding, 'UNICODE')
    const shifts = { locking: 'turkish', single: null } as const
    assert.equal(decodeMessage([part('1c', 0, shifts)]).encoding, 'TEXT')
  })
})

describe('the data coding', () => {
  it('names the message class, but for class 1', () => {
    for (const encoding of ['TEXT', 'UNICODE', 'BINARY'] as const) {
      assert.equal(readDataCoding(dataCodingOf(encoding, 1)).messageClass, null)
      for (const messageClass of [0, 2, 3]) {
        const read = readDataCoding(dataCodingOf(encoding, messageClass))
        const charset = { TEXT: 'GSM', UNICODE: 'UTF16', BINARY: 'OCTETS' }[encoding]
        assert.deepEqual(read, { charset, messageClass })
      }
    }
    assert.deepEqual(readDataCoding(0x10), { charset: 'GSM', messageClass: 0 })
    assert.deepEqual(readDataCoding(0xe8), { charset: 'UTF16', messageClass: null })
  })
})

describe('septets', () => {
  it('are packed as in the examples that everybody knows', () => {
    const hello = encodeMessage('hellohello', plainForm('TEXT'), {
      longMessages: 'UDH8',
      reference: 0,
    })

    assert.equal(
      packSeptets(hello.parts[0]?.octets ?? new Uint8Array()).toHex(),
      'e8329bfd4697d9ec37',
    )
  })

  it('unpacked again are the same, behind a header of any length', () => {
    const septets = fc.uint8Array({ max: 127, maxLength: 160 })
    fc.assert(
      fc.property(septets, fc.nat(13), (given, headerOctets) => {
        const packed = packSeptets(given, headerOctets)

        const count = given.length
        const septetsBefore = Math.ceil((headerOctets * 8) / 7)
        assert.deepEqual(unpackSeptets(packed, { headerOctets, count }), given)
        assert.equal(headerOctets + packed.length, Math.ceil(((septetsBefore + count) * 7) / 8))
      }),
    )
  })
})

describe('the user data header', () => {
  it('has its elements in the form of the standard', () => {
    const concatenation = { reference: 0x1a2, total: 3, sequence: 2 }
    const hex = (bits: 8 | 16, shifts: Shifts): string | undefined =>
      writeHeader({ ...concatenation, bits }, shifts)?.toHex()

    assert.equal(hex(8, noShifts), '050003a20302')
    assert.equal(hex(16, noShifts), '06080401a20302')
    assert.equal(hex(8, { locking: 'urdu', single: 'turkish' }), '0b0003a2030224010125010d')
    assert.equal(writeHeader(null, { locking: 'hindi', single: null })?.toHex(), '03250106')
    assert.equal(writeHeader(null, noShifts), null)
  })

  it('is not one where its octets do not add up, and nothing else is read from it', () => {
    const header = (hex: string) => readHeader(Uint8Array.fromHex(hex))

    for (const hex of ['', '05', '0500', '0500040102030441', '0124', '020005'])
      assert.equal(header(hex), null)
    assert.equal(header('0500030102004142')?.concatenation, null)
    assert.equal(header('0500030102034142')?.concatenation, null)
    assert.deepEqual(header('03240163')?.single, null)
    assert.deepEqual(header('0b05041234567800030502014142')?.concatenation, {
      reference: 5,
      total: 2,
      sequence: 1,
      bits: 8,
    })
    assert.equal(header('0041')?.rest.toHex(), '41')
  })

  it('is read or refused, whatever the octets', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (octets) => {
        const read = readHeader(octets)

        if (read !== null) assert.equal(read.octets.length + read.rest.length, octets.length)
      }),
    )
  })
})
