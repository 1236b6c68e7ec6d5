import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { patternMatcher } from '../../src/stores/sqlite/open-file.ts'

describe('A pattern', () => {
  for (const [pattern, text, matches] of [
    ['', '', true],
    ['', 'a', false],
    ['*', '', true],
    ['**', 'ab', true],
    ['a', 'a', true],
    ['a', 'ab', false],
    ['a*', 'ab', true],
    ['*b', 'ab', true],
    ['*b', 'ba', false],
    ['a*a', 'a', false],
    ['a*a', 'aa', true],
    ['*a*b*', 'xaxbx', true],
    ['*a*b*', 'xbxax', false],
    ['ab*bc', 'abc', false],
    ['ab**bc', 'abbc', true],
    ['a%_*', 'a%_z', true],
    ['a%_*', 'abcd', false],
  ] as const) {
    it(`${JSON.stringify(pattern)} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
      assert.equal(patternMatcher(pattern)(text), matches)
    })
  }

  it('of many wildcards takes time that grows with a long text alone', () => {
    const text = 'a'.repeat(100_000)

    assert.equal(patternMatcher(`${'*a'.repeat(9)}*b`)(text), false)
    assert.equal(patternMatcher(`*${'a'.repeat(190)}b*`)(text), false)
    assert.equal(patternMatcher(`${'*a'.repeat(10)}`)(text), true)
  })
})
