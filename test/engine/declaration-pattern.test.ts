import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { patternCost } from '../../src/engine/declaration/pattern-cost.ts'

describe('the cost of a pattern', () => {
  const degrees: readonly (readonly [string, number])[] = [
    ['', 1],
    ['^[A-Z]{2}\\d{4,12}$', 1],
    ['^[a-z0-9]+(-[a-z0-9]+)*$', 1],
    ['^\\p{L}+( \\p{L}+)*$', 1],
    ['^(\\d{1,3}\\.){3}\\d{1,3}$', 1],
    ['^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$', 1],
    ['^(a|ab)*$', 1],
    ['^(?<year>\\d+)-(?:\\d\\d|\\p{L}{3})$', 1],
    ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 2],
    ['[\\]a-]+\\u{1F600}', 2],
    ['^\\s*.*\\s*$', 3],
    ['^(?=.*\\d)(?=.*[a-z]).{8,}$', 3],
    ['a*a*a*b', 4],
  ]
  for (const [pattern, degree] of degrees) {
    it(`of ${pattern || 'nothing'} grows with the length to the power of ${degree}`, () => {
      assert.deepEqual(patternCost(pattern), { degree })
    })
  }

  const endless = [
    '^(a+)+$',
    '^(a*)*$',
    '(a|a)*',
    '(a|\\w)*',
    '^(\\w+\\s?)*$',
    '^(.*,)*$',
    '^([a-z]{1,3})*$',
    '^(a|b|ab)*$',
    '^(\\d+|\\p{N})+$',
    '^(?=(x+x+)+y)',
    '^([é-ü]+[à-é]+)+$',
  ]
  for (const pattern of endless) {
    it(`of ${pattern} doubles with every character`, () => {
      const cost = patternCost(pattern)

      assert.ok('refusal' in cost && /two ways/.test(cost.refusal))
    })
  }

  it('cannot be told where it refers back, or is very large', () => {
    for (const pattern of ['^(.*)\\1$', '^(?<a>x)\\k<a>$', 'a'.repeat(300)]) {
      const cost = patternCost(pattern)

      assert.ok('refusal' in cost && /too large to be judged/.test(cost.refusal), pattern)
    }
  })
})
