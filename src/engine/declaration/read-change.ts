import type { JsonValue } from '../../core/json.ts'
import { didYouMean } from '../../core/declaration/nearest.ts'
import type { VersionChange } from '../../core/declaration/version.ts'
import {
  fieldName,
  countFaults,
  isWords,
  json,
  shown,
  type Note,
  type WordCheck,
  type Words,
} from './word-checks.ts'
import { topLevel } from './field-rules.ts'
import { readField } from './read-fields.ts'

const path: WordCheck = (value) =>
  typeof value === 'string' && /^[a-z][A-Za-z0-9]*(\/[a-z][A-Za-z0-9]*)?$/.test(value)
    ? null
    : `must be a collection, such as customers or customers/orders, is ${shown(value)}.`

const code: WordCheck = (value) =>
  typeof value === 'function' ? null : `must be a function, is ${shown(value)}.`

/** The words of each kind of change, and those that it can be without. */
const kinds: Readonly<Record<string, Readonly<Record<string, WordCheck>>>> = {
  collectionRenamed: { from: path, to: path },
  collectionAdded: { collection: path },
  fieldRenamed: { collection: path, from: fieldName, to: fieldName },
  fieldAdded: { collection: path, field: fieldName },
  fieldRemoved: { collection: path, field: fieldName, value: json, was: () => null },
  fieldChanged: {
    collection: path,
    field: fieldName,
    values: pairs,
    up: code,
    down: code,
    was: () => null,
  },
}
const spare = ['was', 'values', 'up', 'down']

/** Reads one change of a version and notes its faults. Returns null if it has any. */
export function readChange(value: unknown, at: string, note: Note): VersionChange | null {
  if (!isWords(value)) {
    note(at, `must be a change, such as { kind: 'fieldAdded', … }, is ${shown(value)}.`)
    return null
  }
  const counted = countFaults(note)
  checkWords(value, at, counted.note)
  if (value['kind'] === 'fieldChanged' && counted.faults === 0)
    checkTranslation(value, at, counted.note)
  const was =
    value['was'] === undefined ? null : readField(value['was'], `${at}.was`, topLevel, counted.note)
  if (counted.faults > 0) return null
  // Each word was checked: this is the border where a declaration comes in.
  const { values, ...change } = value
  const ways = isWords(values) ? waysBetween(values) : {}
  return { ...change, ...ways, ...(was === null ? {} : { was }) } as unknown as VersionChange
}

function checkWords(value: Words, at: string, note: Note): void {
  const { kind, ...rest } = value
  const words = typeof kind === 'string' && Object.hasOwn(kinds, kind) ? kinds[kind] : undefined
  if (words === undefined) {
    const known = Object.keys(kinds)
    const meant = typeof kind === 'string' ? didYouMean(kind, known) : ''
    return note(`${at}.kind`, `must be one of ${known.join(', ')}, is ${shown(kind)}.${meant}`)
  }
  for (const [word, given] of Object.entries(rest)) {
    const check = Object.hasOwn(words, word) ? words[word] : undefined
    const takes = `${String(kind)} takes ${Object.keys(words).join(', ')}.`
    const wrong = check === undefined ? `is no word of this change: ${takes}` : check(given)
    if (wrong !== null && given !== undefined) note(`${at}.${word}`, wrong)
  }
  for (const word of Object.keys(words)) {
    if (rest[word] !== undefined || spare.includes(word)) continue
    note(`${at}.${word}`, `is missing: ${String(kind)} needs it.`)
  }
}

/** Checks that either code or a table translates the values, never both. */
function checkTranslation({ values, up, down }: Words, at: string, note: Note): void {
  const hasCode = up !== undefined || down !== undefined
  if (values !== undefined && hasCode) {
    note(`${at}.values`, 'says what up and down say. Leave it out, or leave out both of them.')
  } else if (values === undefined && (up === undefined || down === undefined)) {
    const missing = up === undefined ? 'up' : 'down'
    const cure = 'Give up and down, or values: the old texts, each with the new one.'
    note(`${at}.${missing}`, `is missing: a change goes both ways. ${cure}`)
  }
}

function pairs(value: unknown): string | null {
  if (!isWords(value)) return `must be an object of texts by texts, is ${shown(value)}.`
  const news = Object.values(value)
  const odd = news.find((each) => typeof each !== 'string')
  if (odd !== undefined) return `must hold texts; ${shown(odd)} is none.`
  const repeated = news.find((each, index) => news.indexOf(each) !== index)
  return repeated === undefined
    ? null
    : `has ${shown(repeated)} twice, so that it would not lead back. Leave one out.`
}

function waysBetween(
  values: Words,
): Pick<VersionChange & { kind: 'fieldChanged' }, 'up' | 'down' | 'later'> {
  const ups = new Map(Object.entries(values).map(([old, now]) => [old, String(now)]))
  const downs = new Map([...ups].map(([old, now]) => [now, old]))
  const along =
    (way: ReadonlyMap<string, string>) =>
    (value: JsonValue): JsonValue => {
      if (Array.isArray(value)) return value.map(along(way))
      return typeof value === 'string' ? (way.get(value) ?? value) : value
    }
  const later = [...downs.keys()].filter((now) => !ups.has(now))
  return { up: along(ups), down: along(downs), later }
}
