import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { parseJson } from '../../src/engine/json-text.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)

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

  const refused: [title: string, body: Uint8Array, detail: RegExp][] = [
    ['nothing', bytes(''), /is empty/],
    ['blank', bytes('  '), /is empty/],
    ['not JSON', bytes('{to: 1}'), /is not JSON/],
    ['cut off', bytes('{"to":"1'), /is not JSON/],
    ['with a byte order mark', bytes('\ufeff{}'), /is not JSON/],
    ['not UTF-8', Uint8Array.of(0x22, 0xff, 0x22), /is not UTF-8/],
    ['an encoded surrogate', Uint8Array.of(0x22, 0xed, 0xa0, 0x80, 0x22), /is not UTF-8/],
    ['a member named twice', bytes('{"a":1,"b":{"c":1,"c":2}}'), /twice/],
    ['a member named twice by an escape', bytes('{"a":1,"\\u0061":2}'), /twice/],
    ['__proto__ named twice', bytes('{"__proto__":1,"__proto__":2}'), /twice/],
    ['a lone surrogate', bytes('{"a":"\\ud800"}'), /lone surrogate/],
    ['a lone surrogate in a name', bytes('{"\\udc00":1}'), /lone surrogate/],
    ['U+0000', bytes('{"a":"\\u0000"}'), /U\+0000/],
    ['33 levels', bytes('['.repeat(33) + ']'.repeat(33)), /32 levels/],
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
