import { isUtf8 } from 'node:buffer'
import type { JsonValue } from '../core/json.ts'
import { Problem } from '../core/problem.ts'
import { findJsonFault } from '../core/json-fault.ts'

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
