import type { Field, Fields } from '../../core/declaration/field.ts'
import { didYouMean } from '../../core/declaration/nearest.ts'
import { fieldRules, below, type FieldContext, topLevel } from './field-rules.ts'
import { inner, isKind, limits, needed, ownWords, traits, type Kind } from './field-words.ts'
import {
  fieldName,
  propertyName,
  countFaults,
  isWords,
  shown,
  type Note,
  type Words,
} from './word-checks.ts'

/** More fields than this, those inside objects included, are more than one collection. */
const fieldsMax = 200

/** The nesting limit of objects, arrays and maps: a filter must be able to name inner fields. */
const depthMax = 8

/** Reads the fields of a collection and notes their faults. Returns only the correct fields. */
export function readFields(value: unknown, path: string, note: Note): Fields {
  if (!isWords(value)) {
    note(path, `must be an object with a field under each name, is ${shown(value)}.`)
    return {}
  }
  const fields = readEach(value, path, topLevel, note)
  const total = countFields(fields)
  if (total > fieldsMax) {
    note(path, `has ${total} fields; ${fieldsMax} are the most. Nest a collection instead.`)
  }
  return fields
}

function readEach(value: Words, path: string, place: FieldContext, note: Note): Fields {
  const nameCheck = place.kind === 'field' ? fieldName : propertyName
  const names = Object.keys(value)
  if (names.length === 0) note(path, 'has no field. Declare at least one.')
  const read = names.map((name) => {
    const at = `${path}.${name}`
    const wrong = nameCheck(name)
    if (wrong !== null) note(at, wrong)
    return [name, readField(value[name], at, place, note)] as const
  })
  return Object.fromEntries(
    read.flatMap(([name, field]) => (field === null ? [] : [[name, field]])),
  )
}

/** Reads a field and notes its faults. Returns null if it has any. */
export function readField(
  value: unknown,
  path: string,
  place: FieldContext,
  note: Note,
): Field | null {
  if (!isWords(value)) {
    note(path, `must be a field, such as { "kind": "text" }, is ${shown(value)}.`)
    return null
  }
  const { kind } = value
  if (!isKind(kind)) {
    const known = Object.keys(limits)
    const meant = typeof kind === 'string' ? didYouMean(kind, known) : ''
    note(`${path}.kind`, `must be one of ${known.join(', ')}, is ${shown(kind)}.${meant}`)
    return null
  }
  const counted = countFaults(note)
  checkWords(value, kind, path, counted.note)
  const field = { ...value, kind, ...readInner(value, kind, path, place, counted.note) } as Field
  if (counted.faults > 0) return null
  // What words mean together can be judged once each of them is right.
  return fieldRules(field, path, place, note)
}

function checkWords(value: Words, kind: Kind, path: string, note: Note): void {
  const checks = { ...traits, ...limits[kind] }
  const nested = inner[kind]
  for (const [word, given] of Object.entries(value)) {
    const at = `${path}.${word}`
    const check = Object.hasOwn(checks, word) ? checks[word] : undefined
    if (word === 'kind' || word === nested) continue
    const wrong = check === undefined ? unknownWord(word, kind) : check(given)
    // An absent word and one that is undefined say the same.
    if (wrong !== null && given !== undefined) note(at, wrong)
  }
  for (const word of needed[kind] ?? []) {
    if (value[word] === undefined) note(`${path}.${word}`, `is missing: ${kind} fields need it.`)
  }
}

function unknownWord(word: string, kind: Kind): string {
  if (ownWords.some((own) => own === word)) {
    return 'is for collections with custom code. Leave it out.'
  }
  const known = [...Object.keys(limits[kind]), ...Object.keys(traits)]
  const other = Object.entries(limits).find(([, words]) => Object.hasOwn(words, word))
  if (other !== undefined) {
    return `is a word of ${other[0]} fields; ${kind} fields take ${known.join(', ')}.`
  }
  return `is no word of ${kind} fields.${didYouMean(word, known)} They take ${known.join(', ')}.`
}

/** Reads the fields inside an object, an array or a map. */
function readInner(
  value: Words,
  kind: Kind,
  path: string,
  place: FieldContext,
  note: Note,
): object {
  const word = inner[kind]
  if (word === undefined || value[word] === undefined) return {}
  const at = `${path}.${word}`
  const inside = below(place, kind)
  if (inside.depth > depthMax) {
    note(at, `nests more than ${depthMax} levels deep. Take something out of it.`)
    return {}
  }
  if (word !== 'properties') return { [word]: readField(value[word], at, inside, note) }
  if (isWords(value[word])) return { properties: readEach(value[word], at, inside, note) }
  note(at, `must be an object with a field under each name, is ${shown(value[word])}.`)
  return {}
}

function countFields(fields: Fields): number {
  return Object.values(fields).reduce((sum, field) => sum + countInside(field), 0)
}

function countInside(field: Field): number {
  if (field.kind === 'object') return 1 + countFields(field.properties)
  if (field.kind === 'array') return 1 + countInside(field.items)
  return field.kind === 'map' ? 1 + countInside(field.values) : 1
}
