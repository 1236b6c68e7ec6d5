import { isDeepStrictEqual } from 'node:util'

/**
 * What a page shows stands for any run of it: identifiers, secrets, times and entity tags may differ
 * where they have the same form. `…` stands for any text within its line; alone on a line for any
 * lines, in JSON for further members or items.
 */
const forms: readonly (readonly [shown: RegExp, form: string])[] = [
  [/nuncio_[\w.~-]+_[\w-]{43}/, 'nuncio_[\\w.~-]+_[\\w-]{43}'],
  [/whsec_[A-Za-z0-9+/]{43}=/, 'whsec_[A-Za-z0-9+/]{43}='],
  [/request_[0-9a-f]{10}[0-9a-z]{7}/, 'request_[0-9a-f]{10}[0-9a-z]{7}'],
  [/\b(?<prefix>[a-z]+)_[0-9a-hjkmnp-tv-z]{26}\b/, '$<prefix>_[0-9a-hjkmnp-tv-z]{26}'],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/, '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z'],
  [
    /\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT/,
    '\\w{3}, \\d\\d \\w{3} \\d{4} \\d\\d:\\d\\d:\\d\\d GMT',
  ],
  [/(?<=after=|^id: )[\w-]{54}\b/, '[\\w-]{54}'],
  [/(?<=etag: )"[\w-]{22}(?:\.[\w-]{8})?"/i, '"[\\w-]{22}(?:\\.[\\w-]{8})?"'],
  [/\bv1,[A-Za-z0-9+/]{43}=/, 'v1,[A-Za-z0-9+/]{43}='],
  [/(?<=webhook-timestamp: )\d{10}/, '\\d{10}'],
  [/…/, '.*'],
]

const anyForm = new RegExp(forms.map(([shown]) => withoutNames(shown.source)).join('|'), 'gi')

/** An expression that the whole of a printed text matches, blank lines apart, if it is as shown. */
export function printed(shown: string): RegExp {
  const lines = meaningfulLines(shown).map((line) =>
    line.trim() === '…' ? '(?:.*\\n)*?' : `${pattern(line)}[ \\t]*\\n`,
  )
  return new RegExp(lines.join(''), 'y')
}

/** The lines that count, each with its end: blank ones say nothing. */
export function meaningfulLines(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line.trim() !== '')
}

/** Tells whether a text was printed as shown. */
export function isAsShown(shown: string, actual: string): boolean {
  const text = meaningfulLines(actual)
    .map((line) => `${line}\n`)
    .join('')
  const expression = printed(shown)
  return expression.test(text) && (expression.lastIndex === text.length || endsOpen(shown))
}

function endsOpen(shown: string): boolean {
  return meaningfulLines(shown).at(-1)?.trim() === '…'
}

/** Tells whether a JSON text is as shown: the same members in the same order. Throws where one is no JSON. */
export function isJsonAsShown(shown: string, actual: string): boolean {
  return sameJson(JSON.parse(withRests(shown)), JSON.parse(actual))
}

/** The name of a member, or an item, that stands for all that may follow. */
const rest = '…'

function sameJson(shown: unknown, actual: unknown): boolean {
  if (shown === rest) return true
  if (typeof shown === 'string') return typeof actual === 'string' && isText(shown, actual)
  if (Array.isArray(shown) && Array.isArray(actual)) return sameItems(shown, actual)
  if (isRecord(shown) && isRecord(actual)) return sameMembers(shown, actual)
  return isDeepStrictEqual(shown, actual)
}

function isText(shown: string, actual: string): boolean {
  return new RegExp(`^(?:${pattern(shown)})$`, 's').test(actual)
}

function sameItems(shown: readonly unknown[], actual: readonly unknown[]): boolean {
  const isOpen = shown.at(-1) === rest
  const items = isOpen ? shown.slice(0, -1) : shown
  if (isOpen ? actual.length < items.length : actual.length !== items.length) return false
  return items.every((item, index) => sameJson(item, actual[index]))
}

/** An open object may have members anywhere between those shown, which keep their order. */
function sameMembers(
  shown: Readonly<Record<string, unknown>>,
  actual: Readonly<Record<string, unknown>>,
): boolean {
  const names = Object.keys(shown).filter((name) => name !== rest)
  const found = Object.keys(actual)
  const compared = rest in shown ? found.filter((name) => names.includes(name)) : found
  return (
    isDeepStrictEqual(compared, names) && names.every((name) => sameJson(shown[name], actual[name]))
  )
}

/** Makes JSON of JSON in which a line may be `…`. */
function withRests(shown: string): string {
  const lines = shown.split('\n').map((line, index, all) => {
    if (!/^\s*…,?\s*$/.test(line)) return line
    const isArray = openBracket(all.slice(0, index).join('\n')) === '['
    return isArray ? `"${rest}",` : `"${rest}": "${rest}",`
  })
  return lines.join('\n').replace(/,(\s*[}\]])/g, '$1')
}

/** The bracket that is still open at the end of a JSON text. */
function openBracket(json: string): string | undefined {
  const open: string[] = []
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') open.push(token)
    if (token === ']' || token === '}') open.pop()
  }
  return open.at(-1)
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** An expression for one line: what has a form stands for all of that form, the rest for itself. */
function pattern(line: string): string {
  let result = ''
  let end = 0
  for (const match of line.matchAll(anyForm)) {
    result += RegExp.escape(line.slice(end, match.index)) + formOf(match[0], line, match.index)
    end = match.index + match[0].length
  }
  return result + RegExp.escape(line.slice(end))
}

/** The form of a text that one of the forms was found in; what stands before it may decide. */
function formOf(text: string, line: string, index: number): string {
  const before = line.slice(0, index)
  for (const [shown, form] of forms) {
    const found = new RegExp(`${shown.source}$`, shown.flags).exec(before + text)
    if (found?.[0] === text) return form.replace('$<prefix>', found.groups?.['prefix'] ?? '')
  }
  return RegExp.escape(text)
}

function withoutNames(source: string): string {
  return source.replace(/\(\?<[a-z]+>/g, '(?:')
}
