import { compilePattern } from '../../core/pattern.ts'

/**
 * Returns a text that a regular expression matches, or null if it finds none. It supports the
 * syntax of field patterns: characters, classes, groups, alternatives, repetitions. `extra` is the
 * count of unlimited repetitions.
 */
export function sampleText(pattern: string, extra: number): string | null {
  const text = sequence(scan(pattern, extra))
  return compilePattern(pattern).matches(text) ? text : null
}

/** The reading of a pattern. */
interface Scanner {
  readonly extra: number
  atEnd(): boolean
  /** Consumes the match of a sticky expression; null if there is none. */
  take(form: RegExp): RegExpExecArray | null
  /** Returns a counter that varies the characters. */
  count(): number
}

function scan(pattern: string, extra: number): Scanner {
  let at = 0
  let picked = 0
  return {
    extra,
    atEnd: () => at >= pattern.length,
    take: (form) => {
      form.lastIndex = at
      const found = form.exec(pattern)
      if (found !== null) at = form.lastIndex
      return found
    },
    count: () => {
      picked += 1
      return picked
    },
  }
}

/** Reads alternatives up to the end of their group; the first one counts. */
function sequence(scanner: Scanner): string {
  const texts = ['']
  while (!scanner.atEnd() && scanner.take(/\)/uy) === null) {
    if (scanner.take(/\|/uy) !== null) texts.push('')
    else texts.push((texts.pop() ?? '') + repeated(scanner))
  }
  return texts[0] ?? ''
}

function repeated(scanner: Scanner): string {
  const one = piece(scanner)
  return Array.from({ length: repetitions(scanner) }, one).join('')
}

/** Parses a piece and returns its generator; a class yields another character each time. */
function piece(scanner: Scanner): () => string {
  // An assertion has no character.
  if (scanner.take(/\^|\$|\\[bB]/uy) !== null) return () => ''
  if (scanner.take(/\((?:\?(?:<[^>]*>|:))?/uy) !== null) {
    const text = sequence(scanner)
    return () => text
  }
  const [atom = ''] = scanner.take(atomForm) ?? []
  return () => character(atom, scanner.count())
}

const atomForm = /\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]*\}|\\u\{[^}]*\}|\\u.{4}|\\x..|\\c.|\\.|./suy

const printable = Array.from({ length: 0x17f - 0x21 }, (_, index) =>
  String.fromCodePoint(index + 0x21),
)
/** Readable characters first. */
const candidates = [...'ABCDEFGHJKLM23456789abcdefghjkm', ...printable, ' ', '\t', '\n']

function character(atom: string, count: number): string {
  const form = new RegExp(`^(?:${atom})$`, 'su')
  const fitting = candidates.filter((each) => form.test(each)).slice(0, 7)
  return fitting[count % Math.max(fitting.length, 1)] ?? atom
}

function repetitions(scanner: Scanner): number {
  const [, sign, least = '', comma, most = ''] =
    scanner.take(/(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/uy) ?? []
  if (sign !== undefined) return sign === '?' ? 0 : scanner.extra + (sign === '+' ? 1 : 0)
  if (comma === undefined) return 1
  const highest = comma === '' ? Number(least) : Number(most === '' ? Infinity : most)
  return Math.min(Number(least) + scanner.extra, highest)
}
