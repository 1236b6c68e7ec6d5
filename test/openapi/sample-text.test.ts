import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sampleText } from '../../src/openapi/schemas/sample-text.ts'

describe('a text made from a pattern', () => {
  for (const pattern of [
    '^[A-Z]{2}\\d{4}$',
    '^whsec_[A-Za-z0-9+/]+={0,2}$',
    '^(\\*|admin|(\\*|[A-Za-z][A-Za-z0-9]*):(read|write))$',
    '^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$',
    '^\\p{Lu}\\p{Ll}+$',
    '^(?:[0-9a-f]{2}:){5}[0-9a-f]{2}$',
    '^(?<year>\\d{4})-(0[1-9]|1[0-2])$',
    '^\\b\\d+\\b$',
    '^\\u{41}\\x42.?$',
    '^[\\]\\\\-]+$',
    '',
    'äöü',
    '^日本$',
  ]) {
    it(`fits it: ${pattern}`, () => {
      const sampled = sampleText(pattern, 1)

      assert.ok(sampled !== null)
      assert.match(sampled, new RegExp(pattern, 'u'))
    })
  }

  it('is as long as repetitions can make it', () => {
    assert.equal(sampleText('^[a-z]+$', 19)?.length, 20)
    assert.equal(sampleText('^[a-z]{2,5}$', 19)?.length, 5)
  })

  it('is none where the pattern asks for more than it can find', () => {
    assert.equal(sampleText('^a\\bb$', 1), null)
  })
})
