import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { describe, it } from 'node:test'
import { chooseEncoding, partEnds } from '../../src/encoding/choose-encoding.ts'
import { codesOf, noShifts, septetsOf } from '../../src/encoding/septets.ts'
import { seededRandom } from '../support/seeded-random.ts'
import segmentsCalculator from 'sms-segments-calculator'

/** The part of `split-sms` that is used; it has no types of its own. */
interface SplitSms {
  split(body: string): {
    readonly characterSet: 'GSM' | 'Unicode'
    readonly parts: readonly { readonly content: string }[]
  }
}

const splitSms: SplitSms = createRequire(import.meta.url)('split-sms')

/** Bodies at the edges of parts: so many characters, with one of another size in between. */
const edges = [66, 67, 69, 70, 133, 134, 151, 152, 153, 159, 160, 304, 305, 306].flatMap((length) =>
  ['a', '€', '\r\n', 'ж', '😀'].flatMap((other) => [
    'a'.repeat(length) + other,
    other + 'a'.repeat(length),
    `${'a'.repeat(length - 1)}${other}${'a'.repeat(length)}`,
  ]),
)

const hard = [
  '',
  '@',
  '\f',
  '\u001b',
  '~^{}[]\\|€'.repeat(17),
  'Δ_ΦΓΛΩΠΨΣΘΞ'.repeat(15),
  'ç',
  'Ç'.repeat(161),
]

const alphabets: readonly (readonly string[])[] = [
  ['a', 'B', ' ', '.', '\n'],
  ['a', 'é', '€', '[', '\\'],
  ['€', '^', '{'],
  ['a', 'ж', 'я', ' '],
  ['中', '文', ' ', 'a'],
  ['😀', '🎉', 'a'],
  ['a', '€', 'ж', '😀', '\n'],
]

const generated = generate(200)

/** Clusters of several code points, in an order that no rule of Unicode joins further. */
const clusters = ['e\u0301', '👨\u200d👩\u200d👧', '👍🏽', '🇩🇪', 'क्षि']

describe('segmentation, beside that of two other libraries', () => {
  it('knows the same characters, of all of the Basic Multilingual Plane', () => {
    const codes = codesOf(noShifts)
    for (let unit = 0; unit < 0x10000; unit += 1) {
      if (unit >= 0xd800 && unit < 0xe000) continue
      const character = String.fromCharCode(unit)

      const isOurs = septetsOf(unit, codes) > 0

      assert.equal(splitSms.split(character).characterSet === 'GSM', isOurs)
      assert.equal(calculated(character).encoding === 'GSM-7', isOurs)
    }
  })

  it(`makes the same parts of ${edges.length + hard.length + generated.length} bodies`, () => {
    assert.ok(edges.length + hard.length + generated.length >= 200)

    for (const body of [...edges, ...hard, ...generated]) {
      const { encoding, parts } = ours(body)

      const split = splitSms.split(body)
      assert.equal(split.characterSet === 'GSM' ? 'TEXT' : 'UNICODE', encoding)
      assert.deepEqual(
        split.parts.map(({ content }) => content),
        parts,
      )
      const segmented = calculated(body)
      assert.equal(segmented.encoding === 'GSM-7' ? 'TEXT' : 'UNICODE', encoding)
      assert.deepEqual(segmented.parts, parts)
    }
  })

  /*
   * sms-segments-calculator keeps what Unicode calls a grapheme cluster in one part, and leaves the
   * rest of the part before it empty. TS 23.040 section 9.2.3.24.1 asks for no such thing: the receiver
   * joins the parts before it shows them. So its count is now and then higher than what is sent.
   */
  it('takes no more parts than sms-segments-calculator, which leaves room before clusters', () => {
    let fewer = 0
    for (const cluster of clusters) {
      for (let inside = 1; inside < cluster.length; inside += 1) {
        const before = 'ж'.repeat(67 - inside) + cluster
        const body = before + 'ж'.repeat(134 - before.length)

        const { parts } = ours(body)

        const others = calculated(body).parts.length
        assert.equal(parts.length, splitSms.split(body).parts.length)
        assert.ok(parts.length <= others)
        if (parts.length < others) fewer += 1
      }
    }
    assert.ok(fewer > 0)
  })
})

function ours(body: string): { readonly encoding: string; readonly parts: readonly string[] } {
  const form = chooseEncoding(body, { encoding: null, languages: [] })
  const ends = partEnds(body, form)
  return {
    encoding: form.encoding,
    parts: ends.map((end, index) => body.slice(ends[index - 1] ?? 0, end)),
  }
}

function calculated(body: string): {
  readonly encoding: string
  readonly parts: readonly string[]
} {
  const { encodingName, segments } = new segmentsCalculator.SegmentedMessage(body)
  const parts = [...segments].map((segment) =>
    [...segment].map((each) => ('raw' in each ? (each.raw ?? '') : '')).join(''),
  )
  return { encoding: encodingName, parts }
}

function generate(count: number): readonly string[] {
  const random = seededRandom(23038)
  const below = (end: number): number => Math.floor(random.fraction() * end)
  return Array.from({ length: count }, (_, index) => {
    const alphabet = alphabets[index % alphabets.length] ?? []
    const length = 40 + below(400)
    return Array.from({ length }, () => alphabet[below(alphabet.length)] ?? '').join('')
  })
}
