import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { builtIn } from '../../src/collections/built-in.ts'
import { compilePattern, UnsupportedPattern } from '../../src/core/pattern.ts'

/** Parts of patterns that RE2 and ECMA-262 read differently, and some that they read alike. */
const parts = String.raw`
a é . ^ $ \b \B \s \S \d \D \w \W \0 \cJ / \/ \. \\ \x41 \u00e9 \u{e9} \u2028 \v \f (?<name>a|b)
[\s\d] [^\s] [\S] [^\S\n] [^\W] [\b] [-a] [a-] [!--] [^] [] [\w-] [\\\]] [[:word:]a [a[b] [(?=.)] [[&&a]
\p{L} \P{L} \p{Script=Greek} \p{sc=Latin} [\p{Lu}.] [^\P{gc=Lu}]`
  .trim()
  .split(/\s/)

const characters = [...'abéAZ09αΩ_-./[]:\\(? \n\r\t\v\f\0\b\u00a0\u180e\u2028\u2029\ufeff']

const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(...parts),
    fc.tuple(tie('pattern'), tie('pattern')).map(([first, second]) => first + second),
    fc.tuple(tie('pattern'), tie('pattern')).map(([first, second]) => `(${first}|${second})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}?', '{0}', '{2,}', '*?'))
      .map(([repeated, times]) => `(?:${repeated})${times}`),
  ),
}))

const shortText = fc.array(fc.constantFrom(...characters), { maxLength: 6 })

describe('a pattern', () => {
  it('matches as ECMA-262 says', () => {
    fc.assert(
      fc.property(
        pattern,
        fc.array(shortText, { minLength: 10, maxLength: 10 }),
        (source, texts) => {
          // The same group name twice is an error, of Node too.
          fc.pre((source.match(/\?<name>/g)?.length ?? 0) < 2)
          const { matches } = compilePattern(source)
          const expected = new RegExp(source, 'u')
          for (const text of texts.map((each) => each.join(''))) {
            assert.equal(matches(text), expected.test(text), `${source} on ${JSON.stringify(text)}`)
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  for (const [source, text, matches] of [
    ['^.$', '😀', true],
    ['^..$', '😀', false],
    ['^\\ud83d\\ude00$', '😀', true],
    ['^[\\ud83d\\ude00-\\ud83d\\ude05]$', '😁', true],
    ['^\\u{1F600}{2}$', '😀😀', true],
    ['\\ud83d', '😀', false],
    ['^\\ud83d$', '\ud83d', true],
    // Node says false here, against ECMA-262.
    ['[^\\s]$', 'a😁', true],
    ['^a$', 'a\n', false],
    ['^a$', 'b\na', false],
  ] as const) {
    it(`${source} ${matches ? 'matches' : 'does not match'} ${JSON.stringify(text)}`, () => {
      assert.equal(compilePattern(source).matches(text), matches)
    })
  }

  for (const source of ['(a+)+$', '^(a|a)*$', '^(\\w+\\s?)*$', '(a*)*b', '^(?:a?){30}a{30}$']) {
    it(`${source} takes time linear in a text of 40,000 characters`, () => {
      const { matches } = compilePattern(source)
      const before = process.cpuUsage()

      const isMatch = matches(`${'a'.repeat(40_000)}!`)

      const { user, system } = process.cpuUsage(before)
      assert.equal(isMatch, false)
      assert.ok(user + system < 1_000_000, `it took ${user + system} µs`)
    })
  }

  for (const [source, message] of [
    ['a(?=b)', /must not look around with \(\?=\. Write the pattern without it\./],
    ['a(?!b)', /must not look around with \(\?!/],
    ['(?<=a)b', /must not look around with \(\?<=/],
    ['(?<!a)b', /must not look around with \(\?<!/],
    ['(a)\\1', /must not refer back with \\1\. Repeat the content of the group/],
    ['(?<n>a)\\k<n>', /must not refer back with \\k<n>/],
    ['(?i:a)', /must not set flags with \(\?i:\. Write classes such as \[Aa\]/],
    ['a{1001}', /invalid repeat count: `\{1001\}`\. Repeat at most 1000 times/],
    ['\\p{scx=Greek}', /`\\p\{scx=Greek\}`\. .* Name properties as in \\p\{L\}/],
  ] as const) {
    it(`${source} is refused, with a remedy`, () => {
      assert.throws(
        () => compilePattern(source),
        (error) => error instanceof UnsupportedPattern && message.test(error.message),
      )
    })
  }

  it('of a built-in collection is supported', () => {
    const patterns: string[] = []
    JSON.stringify(builtIn, (name, value: unknown) => {
      if (name === 'pattern' && typeof value === 'string') patterns.push(value)
      return value
    })

    assert.ok(patterns.length > 3)
    for (const source of patterns) assert.ok(compilePattern(source).stepsPerCharacter > 0, source)
  })
})
