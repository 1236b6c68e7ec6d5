import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fold } from '../../src/core/declaration/query.ts'

const cased = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((letter) => /\p{Changes_When_Casemapped}/u.test(letter))

/** Whether two letters are one by Unicode's simple case folding, as the engine's regular expressions have it. */
function isSameLetter(one: string, other: string): boolean {
  return new RegExp(`^${one}$`, 'iu').test(other)
}

describe('Texts that are searched', () => {
  it('have one form for all letters that are one by Unicode’s case folding', () => {
    const wrong = cased.flatMap((letter) =>
      [letter.toLowerCase(), letter.toUpperCase()]
        .filter((other) => isSameLetter(letter, other) && fold(letter) !== fold(other))
        .map((other) => `${letter} ${other}`),
    )

    assert.ok(cased.length > 2000)
    assert.deepEqual(wrong, [])
  })

  it('have different forms for letters that are not', () => {
    const byForm = Map.groupBy(cased, fold)
    // A letter and its composition with nothing else, such as the sign of the Angstrom, are one text.
    const wrong = [...byForm.values()].flatMap(([first = '', ...others]) =>
      others.filter((other) => !isSameLetter(first.normalize('NFC'), other.normalize('NFC'))),
    )

    assert.deepEqual(wrong, [])
  })

  it('have the full folding where one letter becomes several', () => {
    const forms = ['ß', 'ẞ', 'SS', 'ﬁ', 'İ', 'ı', 'ΌΔΟΣ', 'όδος'].map(fold)

    assert.deepEqual(forms, ['ss', 'ss', 'ss', 'fi', 'i̇', 'ı', 'όδοσ', 'όδοσ'])
  })
})
