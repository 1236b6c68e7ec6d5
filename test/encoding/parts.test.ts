import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Encoding } from '../../src/core/ports/carrier.ts'
import { nationalLanguages, standardScheme, type LongMessages } from '../../src/core/part-scheme.ts'
import {
  chooseEncoding,
  encodingFault,
  partEnds,
  roomOf,
} from '../../src/encoding/choose-encoding.ts'
import { encodeMessage } from '../../src/encoding/encode-message.ts'
import { plainForm, codesOf, noShifts, packSeptets, septetsOf } from '../../src/encoding/septets.ts'
import { bodies } from './support/bodies.ts'
import fc from 'fast-check'

/** Body, encoding, number of parts. */
const vectors: readonly [string, Encoding, number][] = [
  ['a'.repeat(160), 'TEXT', 1],
  ['a'.repeat(161), 'TEXT', 2],
  ['a'.repeat(306), 'TEXT', 2],
  ['a'.repeat(307), 'TEXT', 3],
  ['€'.repeat(80), 'TEXT', 1],
  ['€'.repeat(81), 'TEXT', 2],
  ['€'.repeat(153), 'TEXT', 3],
  [`${'a'.repeat(152)}€${'a'.repeat(152)}`, 'TEXT', 3],
  [`${'a'.repeat(152)}€${'a'.repeat(6)}`, 'TEXT', 1],
  ['ж'.repeat(70), 'UNICODE', 1],
  ['ж'.repeat(71), 'UNICODE', 2],
  ['ж'.repeat(134), 'UNICODE', 2],
  ['ж'.repeat(135), 'UNICODE', 3],
  ['😀'.repeat(35), 'UNICODE', 1],
  ['😀'.repeat(36), 'UNICODE', 2],
  ['😀'.repeat(66), 'UNICODE', 2],
  ['😀'.repeat(67), 'UNICODE', 3],
  ['00'.repeat(140), 'BINARY', 1],
  ['00'.repeat(141), 'BINARY', 2],
  ['00'.repeat(268), 'BINARY', 2],
  ['00'.repeat(269), 'BINARY', 3],
]

describe('the form of a message', () => {
  const all = { encoding: null, languages: nationalLanguages }
  const none = { encoding: null, languages: [] }

  it('is TEXT while the body fits GSM 03.38, its extension table included', () => {
    assert.equal(chooseEncoding('Ça coûte 5 €', none).encoding, 'UNICODE')
    assert.equal(chooseEncoding('ÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞ ^{}[~]|\\€ \r\n\f', none).encoding, 'TEXT')
    assert.equal(chooseEncoding('ça', none).encoding, 'UNICODE')
    assert.equal(chooseEncoding('\u001b', all).encoding, 'UNICODE')
    assert.equal(chooseEncoding('', none).encoding, 'TEXT')
  })

  it('has 127 characters in the basic table and 10 in the extension', () => {
    const codes = codesOf(noShifts)

    const units = Array.from({ length: 0x10000 }, (_, unit) => septetsOf(unit, codes))

    assert.equal(units.filter((septets) => septets === 1).length, 127)
    assert.equal(units.filter((septets) => septets === 2).length, 10)
  })

  it('has no national table where none is allowed, or none saves a part', () => {
    assert.deepEqual(chooseEncoding('Günaydın, bugün hava çok güzel', none), plainForm('UNICODE'))
    assert.deepEqual(chooseEncoding('Günaydın, bugün hava çok güzel', all), plainForm('UNICODE'))
    assert.deepEqual(chooseEncoding('hello'.repeat(60), all), plainForm('TEXT'))
  })

  it('has the national tables that save parts', () => {
    const single = chooseEncoding('Şişli’de'.replace('’', "'").padEnd(140, ' yol'), all)
    const locking = chooseEncoding('ş'.repeat(155), all)
    const both = chooseEncoding(`${'ক'.repeat(120)} ABC`, all)
    const euros = chooseEncoding('€'.repeat(150), all)

    assert.deepEqual(single, { encoding: 'TEXT', locking: null, single: 'turkish' })
    assert.deepEqual(locking, { encoding: 'TEXT', locking: 'turkish', single: null })
    assert.deepEqual(both, { encoding: 'TEXT', locking: 'bengali', single: 'bengali' })
    assert.deepEqual(euros, { encoding: 'TEXT', locking: 'turkish', single: null })
  })

  it('is TEXT with national tables where TEXT is asked for and the default alphabet lacks a character', () => {
    const form = chooseEncoding('maçã', { encoding: 'TEXT', languages: ['portuguese', 'turkish'] })

    assert.deepEqual(form, { encoding: 'TEXT', locking: null, single: 'portuguese' })
    assert.equal(encodingFault('maçã', form), null)
  })

  it('takes no more parts than any other that is allowed', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const chosen = partEnds(body, chooseEncoding(body, all)).length

        for (const locking of [null, 'turkish', 'portuguese', 'hindi', 'urdu'] as const) {
          for (const single of [null, 'spanish', 'portuguese', 'hindi'] as const) {
            const form = { encoding: 'TEXT', locking, single } as const
            const fits = encodingFault(body, form) === null
            assert.ok(!fits || chosen <= partEnds(body, form).length)
          }
        }
      }),
    )
  })

  it('names the first character that TEXT does not have', () => {
    const text = plainForm('TEXT')

    assert.match(encodingFault('5 €, 😀ж', text) ?? '', /"😀" \(U\+1F600\) as character 6,/)
    assert.equal(encodingFault('5 €', text), null)
  })

  it('takes whole octets in hexadecimal for BINARY', () => {
    const binary = plainForm('BINARY')

    assert.equal(encodingFault('00fFA9', binary), null)
    for (const body of ['0', '00 ', 'zz', '0x00'])
      assert.notEqual(encodingFault(body, binary), null)
  })
})

describe('the parts of a message', () => {
  const ways: readonly LongMessages[] = ['UDH8', 'UDH16', 'SAR', 'PAYLOAD']

  for (const [body, encoding, count] of vectors) {
    it(`${encoding} of ${body.length} units, “${body.slice(0, 2)}…”: ${count}`, () => {
      assert.equal(partEnds(body, plainForm(encoding)).length, count)
    })
  }

  it('have the room that the header leaves', () => {
    const room = (languages: number, longMessages: LongMessages): readonly number[] => {
      const locking = languages > 0 ? 'hindi' : null
      const single = languages > 1 ? 'hindi' : null
      const { alone, joined } = roomOf({ encoding: 'TEXT', locking, single }, longMessages)
      return [alone, joined]
    }

    assert.deepEqual(room(0, 'UDH8'), [160, 153])
    assert.deepEqual(room(0, 'UDH16'), [160, 152])
    assert.deepEqual(room(1, 'UDH8'), [155, 149])
    assert.deepEqual(room(1, 'UDH16'), [155, 148])
    assert.deepEqual(room(2, 'UDH8'), [152, 146])
    assert.deepEqual(room(2, 'UDH16'), [152, 145])
    assert.deepEqual(roomOf(plainForm('UNICODE'), 'UDH16'), { alone: 70, joined: 66 })
    assert.deepEqual(roomOf(plainForm('BINARY'), 'UDH16'), { alone: 280, joined: 266 })
  })

  it('joined are the body, no character split, none over 140 octets', () => {
    fc.assert(
      fc.property(bodies, fc.constantFrom(...ways), (body, longMessages) => {
        const form = chooseEncoding(body, {
          encoding: null,
          languages: nationalLanguages,
          scheme: { ...standardScheme, longMessages },
        })

        const ends = partEnds(body, form, longMessages)
        const { parts } = encodeMessage(body, form, { longMessages, reference: 0x1ff })

        const texts = ends.map((end, index) => body.slice(ends[index - 1] ?? 0, end))
        assert.equal(texts.join(''), body)
        assert.ok(texts.every((text) => text.isWellFormed() && text.length > 0))
        assert.equal(parts.length, longMessages === 'PAYLOAD' ? 1 : ends.length)
        for (const { header, octets } of longMessages === 'PAYLOAD' ? [] : parts) {
          const headerOctets = header?.length ?? 0
          const data = form.encoding === 'TEXT' ? packSeptets(octets, headerOctets) : octets
          assert.ok(headerOctets + data.length <= 140)
        }
      }),
    )
  })

  it('are as few as the room allows', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const form = chooseEncoding(body, { encoding: null, languages: nationalLanguages })
        const sizeOf = (text: string): number =>
          form.encoding === 'TEXT'
            ? [...text].reduce((sum, each) => sum + septetsOf(each.charCodeAt(0), codesOf(form)), 0)
            : text.length

        const ends = partEnds(body, form)

        ends.slice(0, -1).forEach((end, index) => {
          const next = String.fromCodePoint(body.codePointAt(end) ?? 0)
          const fuller = body.slice(ends[index - 1] ?? 0, end) + next
          assert.ok(sizeOf(fuller) > roomOf(form, 'UDH8').joined)
        })
      }),
    )
  })
})
