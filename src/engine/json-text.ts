import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../core/json.ts'
import { Problem } from '../core/problem.ts'

/** The nesting limit of arrays and objects in a body. */
const nestingMax = 32

/** The limit of members in a body, and of arrays and objects: 1 MiB of them would take the process 0.1 s to parse. */
const membersMax = 20_000

/**
 * Parses JSON (RFC 8259) from bytes, strictly: UTF-8, no byte order mark, no member named twice in
 * an object, no lone surrogate, no U+0000, nested at most 32 deep, at most 20,000 members, and as many arrays and
 * objects. Throws a `Problem`.
 */
export function parseJson(bytes: Uint8Array): JsonValue {
  const text = decode(bytes)
  const members = scan(text)
  const value = parse(text)
  // Escapes are the only way by which a lone surrogate or U+0000 gets past UTF-8 and JSON.parse.
  const count = countMembers(value, text.includes('\\u'))
  if (count !== members) throw invalid('names a member of an object twice')
  return value
}

function decode(bytes: Uint8Array): string {
  if (!isUtf8(bytes)) {
    const isUtf16 = /^(?:fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'))
    throw invalid(isUtf16 ? 'is not UTF-8: its byte order mark is that of UTF-16' : 'is not UTF-8')
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}

function parse(text: string): JsonValue {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid(unparsable(text))
  }
}

function unparsable(text: string): string {
  if (text.trim() === '') return 'is empty; send a JSON object'
  if (text.startsWith('\ufeff'))
    return 'is not JSON: it begins with a byte order mark (U+FEFF); send it without'
  const fault = findJsonFault(text)
  if (fault === null) return 'is not JSON'
  return `is not JSON at line ${fault.line}, column ${fault.column}: ${fault.expected} must be there`
}

/**
 * Counts the colons outside strings: as many as members are written. Refuses what is nested deep, or has much
 * structure, before parsing.
 */
function scan(text: string): number {
  let members = 0
  let containers = 0
  let depth = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = endOfString(text, index)
        break
      case colon:
        members += 1
        if (members > membersMax) throw invalid(`has more than ${membersMax} members`)
        break
      case openBrace:
      case openBracket:
        depth += 1
        containers += 1
        if (containers > membersMax) throw invalid(`has more than ${membersMax} arrays and objects`)
        if (depth > nestingMax) throw invalid(`nests more than ${nestingMax} levels deep`)
        break
      case closeBrace:
      case closeBracket:
        depth -= 1
    }
  }
  return members
}

const [quote, colon, openBrace, closeBrace, openBracket, closeBracket] = [34, 58, 123, 125, 91, 93]

/** Returns the index of the quotation mark that ends the string at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text.charCodeAt(end - 1 - backslashes) === 92) backslashes += 1
    if (backslashes % 2 === 0) return end
  }
  return text.length
}

function countMembers(value: JsonValue, checkTexts: boolean): number {
  if (typeof value === 'string') {
    if (checkTexts) checkText(value)
    return 0
  }
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, item: JsonValue) => sum + countMembers(item, checkTexts), 0)
  }
  let sum = 0
  for (const [name, item] of Object.entries(value)) {
    if (checkTexts) checkText(name)
    sum += 1 + countMembers(item, checkTexts)
  }
  return sum
}

function checkText(text: string): void {
  if (!text.isWellFormed())
    throw invalid('has a lone surrogate; write characters beyond U+FFFF as pairs')
  if (text.includes('\0')) throw invalid('has the character U+0000, which no text may have')
}

function invalid(detail: string): Problem {
  return new Problem('invalid-request', `The body ${detail}.`)
}

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
