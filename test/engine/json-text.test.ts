import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { findJsonFault, parseJson } from '../../src/engine/json-text.ts'
import fc from 'fast-check'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const bytes = (text: string): Uint8Array => Buffer.from(text)

const members = (count: number): string =>
  Array.from({ length: count }, (_, index) => `"m${index}":0`).join(',')

describe('a JSON body', () => {
  it('is read as JSON.parse reads it', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 20, stringUnit: 'grapheme' }), (value) => {
        // The one text of JSON that Nuncio refuses besides malformed ones.
        fc.pre(!JSON.stringify(value).includes('\\u0000'))
        const text = JSON.stringify(value)

        assert.deepEqual(parseJson(bytes(text)), JSON.parse(text))
      }),
    )
  })

  it('has a fault in the eyes of the search exactly if JSON.parse refuses it', () => {
    const piece = fc.constantFrom(...'{}[],:"\\ \n01-.eEtrue', 'null', '"a"', 'u00e9', '\u0001')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')

        assert.equal(findJsonFault(text) === null, isJson(text), JSON.stringify(text))
      }),
      { numRuns: 2000 },
    )
  })

  const refused: [title: string, body: Uint8Array, detail: RegExp][] = [
    ['nothing', bytes(''), /is empty/],
    ['blank', bytes('  '), /is empty/],
    ['not JSON', bytes('{to: 1}'), /is not JSON at line 1, column 2: a name in double quotes/],
    ['a comma at the end', bytes('{\n  "to": 1,\n}'), /line 3, column 1: a name/],
    ['two values', bytes('{}\n{}'), /line 2, column 1: the end must/],
    ['a colon left out', bytes('{"to" "1"}'), /line 1, column 7: a colon/],
    ['a comma left out', bytes('[1 2]'), /line 1, column 4: a comma or ]/],
    ['a word', bytes('{"to": None}'), /line 1, column 8: a value/],
    ['a wrong escape', bytes('{"to": "\\x"}'), /line 1, column 9: an escape/],
    ['a line break in a text', bytes('{"to": "1\n"}'), /line 1, column 10: an escape/],
    ['cut off', bytes('{"to":"1'), /line 1, column 9: the closing double quote/],
    ['with a byte order mark', bytes('\ufeff{}'), /begins with a byte order mark \(U\+FEFF\)/],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x7b, 0, 0x7d, 0), /byte order mark is that of UTF-16/],
    ['not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /is not UTF-8/],
    ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), /is not UTF-8/],
    ['a member named twice', bytes('{"a":1,"b":{"c":1,"c":2}}'), /twice/],
    ['a member named twice by an escape', bytes('{"a":1,"\\u0061":2}'), /twice/],
    ['__proto__ named twice', bytes('{"__proto__":1,"__proto__":2}'), /twice/],
    ['a lone surrogate', bytes('{"a":"\\ud800"}'), /lone surrogate/],
    ['a lone surrogate in a name', bytes('{"\\udc00":1}'), /lone surrogate/],
    ['U+0000', bytes('{"a":"\\u0000"}'), /U\+0000/],
    ['33 levels', bytes('['.repeat(33) + ']'.repeat(33)), /32 levels/],
    ['20,001 members', bytes(`[${'{"a":1},'.repeat(20_000)}{"a":1}]`), /more than 20000/],
    ['20,001 members of one object', bytes(`{${members(20_001)}}`), /more than 20000 members/],
    ['20,001 arrays', bytes(`[${'[],'.repeat(19_999)}[]]`), /more than 20000 arrays and objects/],
    ['100,000 levels', bytes('['.repeat(100_000)), /32 levels/],
  ]
  for (const [title, body, detail] of refused) {
    it(`is refused: ${title}`, () => {
      assert.throws(() => parseJson(body), {
        name: 'Problem',
        problem: 'invalid-request',
        message: detail,
      })
    })
  }

  const taken: [title: string, text: string][] = [
    ['32 levels', '['.repeat(32) + ']'.repeat(32)],
    ['colons and braces in texts', '{"a":"{\\"b\\": 1, \\"b\\": [[[","c":"\\\\"}'],
    ['a pair of surrogates', '{"a":"\\ud83d\\ude00"}'],
    ['the same name in two objects', '[{"a":1},{"a":2}]'],
  ]
  for (const [title, text] of taken) {
    it(`is taken: ${title}`, () => {
      assert.deepEqual(parseJson(bytes(text)), JSON.parse(text))
    })
  }
})
