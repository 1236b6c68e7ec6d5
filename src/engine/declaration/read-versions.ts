import {
  DeclarationError,
  type DeclarationFault,
} from '../../core/declaration/declaration-error.ts'
import { parseTimestamp } from '../../core/timestamp.ts'
import type { Version } from '../../core/declaration/version.ts'
import { readChange } from './read-change.ts'
import { flag, isWords, shown, type Note, type WordCheck, type Words } from './word-checks.ts'
import { didYouMean } from '../../core/declaration/nearest.ts'

/** The versions that an operator declares, and their positions in the file. */
export interface ReadVersions {
  /** The oldest first. It is v1, whether the file speaks of it or not. */
  readonly versions: readonly Version[]
  /** The number of versions before the first one of the file: 1 if v1 is implied. */
  readonly offset: number
}

const first: Version = { name: 'v1', changes: [] }

const words: Readonly<Record<string, WordCheck>> = {
  name: (value) =>
    typeof value === 'string' && /^v\d{1,6}(\.\d{1,6}){0,2}$/.test(value)
      ? null
      : `must be a version such as v2 or v1.1.0, is ${shown(value)}.`,
  changes: (value) => (Array.isArray(value) ? null : `must be a list, is ${shown(value)}.`),
  deprecatedAt: time,
  sunsetAt: time,
  retired: flag,
}

/**
 * Reads the versions of a configuration file. Throws one `DeclarationError` with the path, the
 * cause and the remedy of every fault. `source` names the file.
 */
export function readVersions(declared: readonly unknown[], source: string): ReadVersions {
  const faults: DeclarationFault[] = []
  const note: Note = (path, detail) => faults.push({ path, detail })
  const read = declared.map((value, index) => readVersion(value, `versions[${index}]`, note))
  const known = read.filter((version) => version !== null)
  const offset = known[0]?.name === 'v1' ? 0 : 1
  const versions = [...(offset === 0 ? [] : [first]), ...known]
  if (faults.length === 0) chainRules(versions, offset, note)
  if (faults.length > 0) throw new DeclarationError(source, faults)
  return { versions, offset }
}

function readVersion(value: unknown, path: string, note: Note): Version | null {
  if (!isWords(value)) {
    note(path, `must be a version, such as { name: 'v2', changes: [] }, is ${shown(value)}.`)
    return null
  }
  checkWords(value, path, note)
  const { name, changes, deprecatedAt, sunsetAt, retired } = value
  if (typeof name !== 'string') return null
  const given: readonly unknown[] = Array.isArray(changes) ? changes : []
  const read = given.map((change, index) => readChange(change, `${path}.changes[${index}]`, note))
  return {
    name,
    changes: read.filter((change) => change !== null),
    ...instant('deprecatedAt', deprecatedAt),
    ...instant('sunsetAt', sunsetAt),
    ...(retired === true ? { retired } : {}),
  }
}

function checkWords(value: Words, path: string, note: Note): void {
  for (const [word, given] of Object.entries(value)) {
    const check = Object.hasOwn(words, word) ? words[word] : undefined
    const wrong =
      check === undefined ? unknownWord(word) : given === undefined ? null : check(given)
    if (wrong !== null) note(`${path}.${word}`, wrong)
  }
  if (value['name'] === undefined) note(`${path}.name`, 'is missing: every version needs it.')
}

function unknownWord(word: string): string {
  const known = Object.keys(words)
  return `is no word of a version.${didYouMean(word, known)} It takes ${known.join(', ')}.`
}

/** Checks that each version is above the one before it, and that the first has no changes. */
function chainRules(versions: readonly Version[], offset: number, note: Note): void {
  for (const [index, version] of versions.entries()) {
    const path = `versions[${index - offset}]`
    const before = versions[index - 1]
    if (before !== undefined && !isAbove(version.name, before.name)) {
      note(`${path}.name`, `is not above ${before.name}. List each once, the oldest first.`)
    }
    if (index === 0 && version.changes.length > 0) {
      note(`${path}.changes`, 'has no version before it. Move them to a separate version.')
    }
    const { deprecatedAt = -Infinity, sunsetAt = Infinity } = version
    if (sunsetAt < deprecatedAt) {
      note(`${path}.sunsetAt`, 'is before deprecatedAt. A version ends after it is deprecated.')
    }
  }
  const last = versions.length - 1
  if (versions[last]?.retired === true) {
    note(
      `versions[${last - offset}].retired`,
      'is said of the newest version. Declare another one.',
    )
  }
}

function isAbove(name: string, other: string): boolean {
  const [a, b] = [numbers(name), numbers(other)]
  const at = [0, 1, 2].find((index) => (a[index] ?? 0) !== (b[index] ?? 0))
  return at !== undefined && (a[at] ?? 0) > (b[at] ?? 0)
}

function numbers(name: string): readonly number[] {
  return name.slice(1).split('.').map(Number)
}

function time(value: unknown): string | null {
  const instant = typeof value === 'string' ? parseTimestamp(value) : null
  const form = 'an ISO 8601 date and time with offset, such as "2027-01-31T00:00:00Z"'
  return instant === null ? `must be ${form}, is ${shown(value)}.` : null
}

function instant<K extends 'deprecatedAt' | 'sunsetAt'>(
  name: K,
  value: unknown,
): { readonly [N in K]?: number } {
  const parsed = typeof value === 'string' ? parseTimestamp(value) : null
  return parsed === null ? {} : ({ [name]: parsed } as { readonly [N in K]: number })
}
