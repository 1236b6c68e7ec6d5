import { formats } from '../../core/declaration/format.ts'
import { reserved } from '../query/filter-parameters.ts'

/** Notes a fault: its path, the cause and the remedy. */
export type Note = (path: string, detail: string) => void

/** Counts the faults that are noted with it. */
export interface FaultCount {
  readonly note: Note
  faults: number
}

/** Creates a count of faults that are noted elsewhere too. */
export function countFaults(note: Note): FaultCount {
  const count: FaultCount = {
    faults: 0,
    note: (path, detail) => {
      count.faults += 1
      note(path, detail)
    },
  }
  return count
}

/** Returns the fault of a word's value; null if the value is correct. */
export type WordCheck = (value: unknown) => string | null

/** An object from outside. */
export type Words = Readonly<Record<string, unknown>>

/** Returns whether a value is an object, neither an array nor null. */
export function isWords(value: unknown): value is Words {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Checks that a value is true or false. */
export const flag: WordCheck = (value) =>
  typeof value === 'boolean' ? null : `must be true or false, is ${shown(value)}.`

/** Checks that a value is a whole number from 0. */
export const count: WordCheck = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    ? null
    : `must be a whole number from 0, is ${shown(value)}.`

/** Checks that a value is a number. */
export const finite: WordCheck = (value) =>
  typeof value === 'number' && Number.isFinite(value)
    ? null
    : `must be a number, is ${shown(value)}.`

/** Checks that a value is a text of at least one character. */
export const sentence: WordCheck = (value) =>
  typeof value === 'string' && value.trim() !== ''
    ? null
    : `must be a text with something in it, is ${shown(value)}.`

/** Checks that JSON can carry a value. Its meaning depends on other words. */
export const json: WordCheck = (value) =>
  value !== undefined && isJson(value) ? null : `must be a value that JSON can carry.`

/** Checks that a value is a regular expression. */
export const expression: WordCheck = (value) => {
  if (typeof value !== 'string')
    return `must be a regular expression as a text, is ${shown(value)}.`
  try {
    RegExp(value, 'u')
    return null
  } catch (error) {
    return `is no regular expression (ECMA-262 with u): ${reason(error)}.`
  }
}

/** Returns a check that a value is one of these texts. */
export function oneOf(values: readonly string[]): WordCheck {
  return (value) =>
    typeof value === 'string' && values.includes(value)
      ? null
      : `must be one of ${values.join(', ')}, is ${shown(value)}.`
}

/** Checks that a value is the name of a format. */
export const formatName: WordCheck = oneOf(Object.keys(formats))

/** The limit of a choice's values. More values need a separate collection and references to it. */
const enumMax = 500

/** Checks the values of a choice. */
export const choices: WordCheck = (value) => {
  if (!Array.isArray(value) || value.length === 0) return 'must list at least one text.'
  if (value.length > enumMax) {
    return `lists ${value.length} texts; ${enumMax} are the most. Refer to a collection instead.`
  }
  const odd = value.find((each) => typeof each !== 'string' || each === '' || each === 'null')
  if (odd !== undefined) return `must list texts, neither empty nor "null"; ${shown(odd)} is none.`
  const repeated = value.find((each, index) => value.indexOf(each) !== index)
  return repeated === undefined ? null : `lists ${shown(repeated)} twice. Leave one out.`
}

/** Checks that a value is a list of different texts. */
export const texts: WordCheck = (value) => {
  if (!Array.isArray(value)) return `must be a list of texts, is ${shown(value)}.`
  const odd = value.find((each) => typeof each !== 'string')
  if (odd !== undefined) return `must be a list of texts; ${shown(odd)} is none.`
  const repeated = value.find((each, index) => value.indexOf(each) !== index)
  return repeated === undefined ? null : `names ${shown(repeated)} twice. Leave one out.`
}

/** Returns a value as a short text for messages, never a whole object. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  }
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

function isJson(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every(isJson)
  return isWords(value) && Object.values(value).every(isJson)
}

/**
 * Returns the last part of a message such as `Invalid regular expression: /(/u: Unterminated
 * group`.
 */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.slice(message.lastIndexOf(': ') + 1).trim()
}

/** The length limit of names, which become columns, scopes and paths. */
const nameMax = 40

/**
 * The length limit of nouns. A generated identifier has the noun and 27 characters; 64 is its
 * limit.
 */
const nounMax = 37

/** Checks the name of a collection: the plural, in camelCase. */
export const collectionName: WordCheck = (value) => camelCase(value, nameMax, 'orderItems')

/** Checks the noun of a collection: the singular of its name. */
export const noun: WordCheck = (value) => camelCase(value, nounMax, 'orderItem')

/** Checks the name of a field inside an object. */
export const propertyName: WordCheck = (value) => {
  const wrong = camelCase(value, nameMax, 'unitPrice')
  if (wrong !== null || typeof value !== 'string') return wrong
  return value in Object.prototype ? 'is a name that every object has. Choose another.' : null
}

/** Checks the name of a field of a collection. */
export const fieldName: WordCheck = (value) => {
  const wrong = propertyName(value)
  if (wrong !== null || typeof value !== 'string') return wrong
  if (everywhere.includes(value)) return 'is a field that every instance has. Leave it out.'
  return reserved.includes(value)
    ? `is a parameter of every list (${reserved.join(', ')}). Choose another name.`
    : null
}

/** Fields that the service sets on every instance. */
const everywhere = ['id', 'createdAt', 'updatedAt']

/** Underscores end a field in the parameters of a list: `price_gte`, `price_desc`. */
function camelCase(value: unknown, max: number, example: string): string | null {
  const form = `a name in camelCase, letters and digits only, such as ${example}`
  if (typeof value !== 'string') return `must be ${form}, is ${shown(value)}.`
  if (!/^[a-z][A-Za-z0-9]*$/.test(value)) return `must be ${form}; ${shown(value)} is none.`
  return value.length <= max
    ? null
    : `has ${value.length} characters; ${max} are the most. Choose a shorter one.`
}
