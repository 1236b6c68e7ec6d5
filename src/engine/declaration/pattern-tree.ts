/** A regular expression as a tree. */
export type Pattern =
  /** A character class, or a character: its source, such as `[a-z]`. */
  | { readonly is: 'character'; readonly source: string }
  /** What reads no character: `^`, `\b`. */
  | { readonly is: 'edge'; readonly source: string }
  /** What refers back to what a group found. */
  | { readonly is: 'back' }
  | { readonly is: 'sequence'; readonly parts: readonly Pattern[] }
  | { readonly is: 'either'; readonly parts: readonly Pattern[] }
  | { readonly is: 'repeat'; readonly part: Pattern; readonly least: number; readonly most: number }
  /** A look ahead or behind. */
  | { readonly is: 'look'; readonly part: Pattern }

/** Reads a regular expression that is known to be valid (ECMA-262 with `u`). */
export function patternTree(source: string): Pattern {
  return either({ source, at: 0 })
}

interface Cursor {
  readonly source: string
  at: number
}

/** What can stand at a place of a pattern: the first form that fits. */
const tokens = [
  { form: /(\^|\$|\\b|\\B)/y, is: 'edge' },
  { form: /\\(k<[^>]*>|[1-9]\d*)/y, is: 'back' },
  { form: /\(\?<?[=!]/y, is: 'look' },
  { form: /\((\?<[^>]*>|\?[a-z-]*:)?/y, is: 'group' },
  { form: /\[(\\[^]|[^\]\\])*\]/uy, is: 'character' },
  { form: /\\([pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[^])/iuy, is: 'character' },
  { form: /[^]/uy, is: 'character' },
] as const

const quantifier = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y

function either(cursor: Cursor): Pattern {
  const parts = [sequence(cursor)]
  while (cursor.source[cursor.at] === '|') {
    cursor.at += 1
    parts.push(sequence(cursor))
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : { is: 'either', parts }
}

function sequence(cursor: Cursor): Pattern {
  const parts: Pattern[] = []
  while (cursor.at < cursor.source.length && !'|)'.includes(cursor.source[cursor.at] ?? '')) {
    parts.push(repeated(cursor))
  }
  return { is: 'sequence', parts }
}

function repeated(cursor: Cursor): Pattern {
  const part = single(cursor)
  const found = take(quantifier, cursor)
  if (found === null) return part
  const [, sign, least = '', comma, most = ''] = found
  if (sign === '?') return { is: 'repeat', part, least: 0, most: 1 }
  if (sign !== undefined) return { is: 'repeat', part, least: sign === '*' ? 0 : 1, most: Infinity }
  const upper = comma === '' ? Number(least) : Number(most === '' ? Infinity : most)
  return { is: 'repeat', part, least: Number(least), most: upper }
}

function single(cursor: Cursor): Pattern {
  for (const { form, is } of tokens) {
    const [source] = take(form, cursor) ?? []
    if (source === undefined) continue
    if (is === 'character' || is === 'edge') return { is, source }
    if (is === 'back') return { is }
    const part = either(cursor)
    cursor.at += ')'.length
    return is === 'look' ? { is, part } : part
  }
  throw new Error(`nothing can stand at ${cursor.at} of ${cursor.source}`)
}

function take(form: RegExp, cursor: Cursor): RegExpExecArray | null {
  form.lastIndex = cursor.at
  const found = form.exec(cursor.source)
  if (found !== null) cursor.at += found[0].length
  return found
}
