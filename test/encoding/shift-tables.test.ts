import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { nationalLanguages } from '../../src/core/part-scheme.ts'
import { decodeText } from '../../src/encoding/decode-message.ts'
import { codesOf, septetsOf, toSeptets, type Shifts } from '../../src/encoding/septets.ts'

/** A table of the standard: its section, its language, and the characters by their codes. */
interface Transcribed {
  readonly section: string
  readonly language: string
  readonly kind: 'locking' | 'single'
  readonly characters: ReadonlyMap<number, string>
}

const transcribed = read(
  readFileSync(new URL('fixtures/shift-tables.txt', import.meta.url), 'utf8'),
)

describe('the tables of 3GPP TS 23.038', () => {
  it('are 27: of the default alphabet and 13 languages, of which Spanish has no locking shift', () => {
    const names = transcribed.map(({ language, kind }) => `${language} ${kind}`)
    const languages = ['default', ...nationalLanguages]

    const expected = languages.flatMap((each) => [`${each} locking`, `${each} single`])
    assert.deepEqual(
      names,
      expected.filter((name) => name !== 'spanish locking'),
    )
  })

  for (const { section, language, kind, characters } of transcribed) {
    const shifts: Shifts = { locking: null, single: null, [kind]: named(language) }

    it(`mean what section ${section} says, each of the 128 codes: ${language} ${kind}`, () => {
      for (let code = 0; code < 0x80; code += 1) {
        if (code === 0x1b) continue
        const octets = Uint8Array.from(kind === 'single' ? [0x1b, code] : [code])
        const expected = characters.get(code) ?? (kind === 'single' ? fallback(code) : null)

        assert.equal(decodeText(octets, 'GSM', shifts), expected, `code ${code.toString(16)}`)
      }
    })

    it(`write each character of section ${section} as a code that means it: ${language} ${kind}`, () => {
      for (const [code, character] of characters) {
        const septets = toSeptets(character, shifts)

        const before =
          kind === 'single' && septets.length === 1 ? codesIn('default', 'locking') : []
        assert.equal(decodeText(septets, 'GSM', shifts), character, `code ${code.toString(16)}`)
        assert.ok(septets.length <= (kind === 'single' ? 2 : 1))
        if (kind === 'single' && septets.length === 1) assert.ok(before.includes(character))
      }
    })

    it(`write nothing else: ${language} ${kind}`, () => {
      const codes = codesOf(shifts)
      const known = new Set([
        ...(kind === 'locking' ? characters.values() : codesIn('default', 'locking')),
        ...(kind === 'single' ? characters.values() : codesIn('default', 'single')),
      ])

      for (let unit = 0; unit < 0x10000; unit += 1) {
        const isKnown = known.has(String.fromCharCode(unit))
        assert.equal(septetsOf(unit, codes) > 0, isKnown, `U+${unit.toString(16)}`)
      }
    })
  }
})

function named(language: string): Shifts['locking'] {
  return nationalLanguages.find((each) => each === language) ?? null
}

/** A code that a single shift table does not have is that of the locking one (section 6.2.1.1). */
function fallback(code: number): string | null {
  const table = transcribed.find(({ language }) => language === 'default')
  return table?.characters.get(code) ?? null
}

function codesIn(language: string, kind: Transcribed['kind']): readonly string[] {
  const table = transcribed.find((each) => each.language === language && each.kind === kind)
  return [...(table?.characters.values() ?? [])]
}

function read(text: string): readonly Transcribed[] {
  const tables = text
    .replace(/^#.*\n/gm, '')
    .trim()
    .split('\n\n')
  return tables.map((table) => {
    const [heading = '', ...rows] = table.split('\n')
    const [section = '', language = '', kind] = heading.split(' ')
    const entries = rows
      .join(' ')
      .split(' ')
      .map((entry): [number, string] => {
        const [code = '', point = ''] = entry.split(':')
        return [Number.parseInt(code, 16), String.fromCodePoint(Number.parseInt(point, 16))]
      })
    const characters = new Map(entries)
    return { section, language, kind: kind === 'locking' ? 'locking' : 'single', characters }
  })
}
