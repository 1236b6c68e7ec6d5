/** The first place where a text stops being JSON. */
export interface JsonFault {
  /** From 1. */
  readonly line: number
  /** From 1, in UTF-16 code units. */
  readonly column: number
  /** What JSON has there, such as `a comma or }`. */
  readonly expected: string
}

/**
 * Finds the first fault of a text (RFC 8259); null if it has none. The messages of `JSON.parse` name a position only at
 * times. The caller limits the nesting.
 */
export function findJsonFault(text: string): JsonFault | null {
  try {
    const end = skipBlanks(text, valueEnd(text, 0))
    return end === text.length ? null : positionOf(text, { at: end, expected: 'the end' })
  } catch (error) {
    if (error instanceof UnexpectedText) return positionOf(text, error)
    throw error
  }
}

/** Ends the search: the text has something else than expected. */
class UnexpectedText extends Error {
  override readonly name = 'UnexpectedText'
  readonly at: number
  readonly expected: string

  constructor(at: number, expected: string) {
    super(expected)
    this.at = at
    this.expected = expected
  }
}

function positionOf(
  text: string,
  { at, expected }: Pick<UnexpectedText, 'at' | 'expected'>,
): JsonFault {
  const before = text.slice(0, at)
  const line = before.split('\n').length
  return { line, column: at - before.lastIndexOf('\n'), expected }
}

/** Returns the index after the value that begins at or after `start`. */
function valueEnd(text: string, start: number): number {
  const at = skipBlanks(text, start)
  switch (text[at]) {
    case '{':
      return listEnd(text, at, '}', memberEnd)
    case '[':
      return listEnd(text, at, ']', valueEnd)
    case '"':
      return stringEnd(text, at)
    default:
      return match(plainValue, text, at, 'a value')
  }
}

const plainValue = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

function listEnd(
  text: string,
  start: number,
  close: string,
  itemEnd: (text: string, start: number) => number,
): number {
  let at = skipBlanks(text, start + 1)
  if (text[at] === close) return at + 1
  for (;;) {
    at = skipBlanks(text, itemEnd(text, at))
    if (text[at] === close) return at + 1
    at = skipBlanks(text, match(/,/y, text, at, `a comma or ${close}`))
  }
}

function memberEnd(text: string, start: number): number {
  if (text[start] !== '"') throw new UnexpectedText(start, 'a name in double quotes')
  const colon = skipBlanks(text, stringEnd(text, start))
  return valueEnd(text, match(/:/y, text, colon, 'a colon'))
}

function stringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') return at + 1
    if (character === '\\') at = match(escape, text, at, 'an escape of JSON, such as \\n') - 1
    else if (character < ' ')
      throw new UnexpectedText(at, 'an escape, such as \\n, in place of a control character')
  }
  throw new UnexpectedText(text.length, 'the closing double quote')
}

const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y

function skipBlanks(text: string, start: number): number {
  let at = start
  while (' \t\n\r'.includes(text[at] ?? '.')) at += 1
  return at
}

/** Returns the index after what a sticky pattern matches at `at`. */
function match(pattern: RegExp, text: string, at: number, expected: string): number {
  pattern.lastIndex = at
  if (!pattern.test(text)) throw new UnexpectedText(at, expected)
  return pattern.lastIndex
}
