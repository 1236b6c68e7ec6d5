import fc from 'fast-check'

const plain = ['a', 'b', ' ', 'A', '7', 'é', '\n', 'Δ', '@']
const costly = ['€', '{', ']', '\\']
const turkish = ['ş', 'ı', 'İ', 'ğ', 'ç']
const portuguese = ['ã', 'õ', 'ç', 'ê', '∞', 'Φ']
const hindi = ['क', 'ख', 'ा', '़', '।', '६', 'A']
const urdu = ['ا', 'ب', 'ے', '۵', '،']
const other = ['ж', '中', '😀', '👨‍👩‍👧']

/** Bodies of one script or several, often longer than a part, with many escapes and surrogate pairs. */
export const bodies: fc.Arbitrary<string> = fc
  .constantFrom(
    plain,
    [...plain, ...costly],
    costly,
    [...plain, ...turkish],
    turkish,
    [...plain, ...portuguese],
    [...portuguese, ...costly],
    [...plain, ...hindi],
    hindi,
    [...urdu, ' '],
    [...plain, ...other],
    [...plain, ...costly, ...turkish, ...portuguese, ...hindi, ...urdu, ...other],
  )
  .chain((characters) =>
    fc.array(fc.constantFrom(...characters), { minLength: 1, maxLength: 500, size: 'max' }),
  )
  .map((characters) => characters.join(''))
