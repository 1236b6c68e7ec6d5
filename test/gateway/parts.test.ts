import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Encoding } from '../../src/core/carrier.ts'
import { chooseEncoding, encodingFault } from '../../src/gateway/encoding.ts'
import { countParts, splitIntoParts } from '../../src/gateway/parts.ts'
import { septetsOf } from '../../src/gateway/gsm-alphabet.ts'

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

/** Bodies with many escapes and surrogate pairs, often longer than a part. */
const bodies = fc
  .array(fc.constantFrom('a', 'é', '€', '{', '\n', 'ж', '😀', 'Δ'), {
    maxLength: 500,
    size: 'max',
    minLength: 1,
  })
  .map((characters) => characters.join(''))

describe('the encoding of a message', () => {
  it('is TEXT while the body fits GSM 03.38, its extension table included', () => {
    assert.equal(chooseEncoding('Ça coûte 5 €'), 'UNICODE')
    assert.equal(chooseEncoding('ÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞ ^{}[~]|\\€ \r\n\f'), 'TEXT')
    assert.equal(chooseEncoding('ça'), 'UNICODE')
    assert.equal(chooseEncoding('\u001b'), 'UNICODE')
    assert.equal(chooseEncoding(''), 'TEXT')
  })

  it('has 127 characters in the basic table and 10 in the extension', () => {
    const units = Array.from({ length: 0x10000 }, (_, unit) => septetsOf(unit))

    assert.equal(units.filter((septets) => septets === 1).length, 127)
    assert.equal(units.filter((septets) => septets === 2).length, 10)
  })

  it('names the first character that TEXT does not have', () => {
    assert.match(encodingFault('5 €, 😀ж', 'TEXT') ?? '', /"😀" \(U\+1F600\) as character 6,/)
    assert.equal(encodingFault('5 €', 'TEXT'), null)
  })

  it('takes whole octets in hexadecimal for BINARY', () => {
    assert.equal(encodingFault('00fFA9', 'BINARY'), null)
    for (const body of ['0', '00 ', 'zz', '0x00'])
      assert.notEqual(encodingFault(body, 'BINARY'), null)
  })
})

describe('the parts of a message', () => {
  for (const [body, encoding, count] of vectors) {
    it(`${encoding} of ${body.length} units, “${body.slice(0, 2)}…”: ${count}`, () => {
      assert.equal(countParts(body, encoding), count)
    })
  }

  it('joined are the body, each within its room, no character split', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const encoding = chooseEncoding(body)

        const parts = splitIntoParts(body, encoding)

        assert.equal(parts.join(''), body)
        assert.equal(parts.length, countParts(body, encoding))
        for (const part of parts) {
          assert.ok(part.isWellFormed() && part.length > 0)
          assert.ok(sizeOf(part, encoding) <= roomOf(encoding, parts.length))
        }
      }),
    )
  })

  it('are as few as the room allows', () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const encoding = chooseEncoding(body)

        const parts = splitIntoParts(body, encoding)

        parts.slice(1).forEach((part, index) => {
          const first = String.fromCodePoint(part.codePointAt(0) ?? 0)
          const fuller = `${parts[index]}${first}`
          assert.ok(sizeOf(fuller, encoding) > roomOf(encoding, parts.length))
        })
      }),
    )
  })
})

function sizeOf(part: string, encoding: Encoding): number {
  if (encoding !== 'TEXT') return part.length
  return [...part].reduce((sum, character) => sum + septetsOf(character.charCodeAt(0)), 0)
}

function roomOf(encoding: Encoding, parts: number): number {
  if (encoding === 'TEXT') return parts === 1 ? 160 : 153
  return parts === 1 ? 70 : 67
}
