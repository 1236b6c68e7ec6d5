import type * as re2js from 're2js'

/** A pattern that was compiled for matching. */
export interface CompiledPattern {
  /** Returns whether the pattern matches anywhere in a text, in time linear in the length of the text. */
  readonly matches: (text: string) => boolean
  /** Returns the texts of the groups, the whole match first; null if the pattern does not match. */
  readonly groups: (text: string) => readonly string[] | null
  readonly groupCount: number
  /** The most steps that a match takes for each character. */
  readonly stepsPerCharacter: number
}

/** A pattern that matching in linear time excludes. The message names the construct and the remedy. */
export class UnsupportedPattern extends Error {}

/**
 * Compiles a valid pattern (ECMA-262 with `u`). Node's matcher needs exponential time for some patterns
 * and texts; RE2 never does. Throws an `UnsupportedPattern`.
 */
export function compilePattern(source: string): CompiledPattern {
  const translated = source.replace(token, translate)
  const { RE2JS } = library()
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(translated))
    return {
      matches: (text) => compiled.test(text),
      groups: (text) => groupsIn(compiled.matcher(text)),
      groupCount: compiled.groupCount(),
      stepsPerCharacter: compiled.programSize(),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UnsupportedPattern(
      `is not supported: ${reason.slice(reason.indexOf(': ') + 1).trim()}. ${knownForms}`,
      { cause: error },
    )
  }
}

function groupsIn(matcher: re2js.Matcher): readonly string[] | null {
  if (!matcher.find()) return null
  return Array.from({ length: matcher.groupCount() + 1 }, (_, group) => matcher.group(group) ?? '')
}

/** Loads the library on demand: it takes 7 MB and 7 ms. */
function library(): typeof re2js {
  return process.getBuiltinModule('node:module').createRequire(import.meta.url)('re2js')
}

const knownForms =
  'Repeat at most 1000 times, and limit longer texts with maxLength. ' +
  'Name properties as in \\p{L}, \\p{Lu}, \\p{Script=Greek} or \\p{Alphabetic}.'

const escape = String.raw`\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\[pP]\{[^}]*\}`
/** The parts of a pattern that RE2 lacks or reads differently, and those that contain such parts. */
const token = new RegExp(
  String.raw`\[(?:\\.|[^\\\]])*\]|${escape}|\\k<[^>]*>|\\[1-9]\d*|\\.|\(\?(?:<?[=!]|<[^>]*>|[a-z-]*:)|\.`,
  'gsu',
)
const tokenInClass = new RegExp(String.raw`${escape}|\\.|\[`, 'gsu')

/** White space, and all other characters (ECMA-262 section 12.2 and 12.3). RE2 knows that of ASCII only. */
const space = String.raw`\t-\r\x20\xa0\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const noSpace =
  String.raw`\x00-\x08\x0e-\x1f\x21-\x9f\xa1-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
  String.raw`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`

function translate(part: string): string {
  if (part.startsWith('[')) return translateClass(part)
  if (part === '.') return String.raw`[^\n\r\x{2028}\x{2029}]`
  if (part === String.raw`\s`) return `[${space}]`
  if (part === String.raw`\S`) return `[${noSpace}]`
  if (/^\(\?<?[=!]/.test(part)) {
    throw new UnsupportedPattern(`must not look around with ${part}. Write the pattern without it.`)
  }
  if (/^\\(k<|[1-9])/.test(part)) {
    throw new UnsupportedPattern(
      `must not refer back with ${part}. Repeat the content of the group instead.`,
    )
  }
  if (/^\(\?[a-z-]+:/.test(part)) {
    throw new UnsupportedPattern(
      `must not set flags with ${part}. Write classes such as [Aa] instead.`,
    )
  }
  // Named groups are not counted: RE2 knows fewer names.
  return part.startsWith('(?<') ? '(?:' : translateEscape(part)
}

function translateClass(part: string): string {
  const start = part.startsWith('[^') ? '[^' : '['
  const members = part.slice(start.length, -']'.length)
  return `${start}${members.replace(tokenInClass, translateMember)}]`
}

function translateMember(part: string): string {
  if (part === '[') return String.raw`\[`
  if (part === String.raw`\s`) return space
  if (part === String.raw`\S`) return noSpace
  return part === String.raw`\b` ? String.raw`\x08` : translateEscape(part)
}

function translateEscape(part: string): string {
  const property = /^(\\[pP]\{)(?:Script|sc|General_Category|gc)=(.*)$/.exec(part)
  if (property !== null) return `${property[1]}${property[2]}`
  const pair = /^\\u(....)\\u(....)$/.exec(part)
  if (pair === null) return part
  const character = String.fromCharCode(...pair.slice(1).map((unit) => Number.parseInt(unit, 16)))
  return `\\x{${character.codePointAt(0)?.toString(16)}}`
}
