import { qualifiedName } from '../../core/declaration/collection.ts'
import type { ArrayField, Field, TextField } from '../../core/declaration/field.ts'
import type { FormatName } from '../../core/declaration/format.ts'
import { type JsonObject, type JsonValue, sameJson } from '../../core/json.ts'
import type { InputError } from '../../core/problem.ts'
import { common, type Compiled } from '../../engine/compiled.ts'
import { fieldReader } from '../../engine/field-reader.ts'
import { isRequired } from './field-schema.ts'
import { sampleText } from './sample-text.ts'

/** Examples of inputs and outputs; null if a field has no valid example. */
export interface CollectionExamples {
  readonly instance: JsonObject | null
  readonly input: JsonObject | null
  readonly patch: JsonObject | null
}

/** A given example, which is more specific than the one from the declaration. */
export interface GivenExample {
  /** Fields of an instance; the declaration supplies missing ones. */
  readonly instance: JsonObject
  /** Optional fields that an input example shows. */
  readonly input: readonly string[]
}

/** Examples by the qualified name of their collection. */
export type GivenExamples = Readonly<Record<string, GivenExample>>

/** Builds the examples of a collection from given ones, or else from its declaration. */
export function collectionExamples(compiled: Compiled, all: GivenExamples): CollectionExamples {
  const { declared, served, settable } = compiled
  const given = all[qualifiedName(declared)]
  const valueOf = (name: string): JsonValue | undefined => {
    if (given !== undefined && Object.hasOwn(given.instance, name)) return given.instance[name]
    if (name === 'id') return exampleId(declared.noun)
    if (Object.hasOwn(common, name)) return exampleTime
    const field = declared.fields[name]
    return field === undefined ? undefined : fieldExample(name, field)
  }

  const told = settable.filter(({ name, field }) => isTold(name, field, given))
  const input = (told.length > 0 ? told : settable).map(({ name }) => name)
  const changed = input.findLast((name) => declared.fields[name]?.required !== true) ?? input[0]
  return {
    instance: gather(served, valueOf),
    input: gather(input, valueOf),
    patch: changed === undefined ? {} : gather([changed], valueOf),
  }
}

/** Returns true if an input example includes a field: a required one, or one with an example. */
function isTold(name: string, field: Field, given: GivenExample | undefined): boolean {
  if (isRequired(field)) return true
  if (given !== undefined) return given.input.includes(name)
  return field.default === undefined && field.writeOnly !== true
}

function gather(
  names: readonly string[],
  valueOf: (name: string) => JsonValue | undefined,
): JsonObject | null {
  const entries = names.map((name) => [name, valueOf(name)] as const)
  const found = entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
  return found.length === entries.length ? Object.fromEntries(found) : null
}

/** The instant of all examples. */
export const exampleTime = '2026-01-31T12:00:00.000Z'

/** An identifier such as the service makes. */
export function exampleId(noun: string): string {
  return `${noun}_01kg9ys7g0ex5vsknk084sn02q`
}

/**
 * Returns an example value of a field, always the same: its default, or one suggested by its name
 * and form. Undefined if no suggestion passes the check of the field.
 */
export function fieldExample(name: string, field: Field): JsonValue | undefined {
  const read = fieldReader(field)
  return candidates(name, field).find((candidate) => {
    const errors: InputError[] = []
    return sameJson(read(candidate, '', errors), candidate) && errors.length === 0
  })
}

/** Telephone numbers reserved for fiction, which belong to no subscriber. */
const byFormat: Readonly<Record<FormatName, string>> = {
  recipient: '+447700900123',
  sender: '+447700900456',
  senderOrEmpty: '+447700900456',
  url: 'https://example.com/receiver',
}

/** Example texts of common names. */
const byName: Readonly<Record<string, string>> = {
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  title: 'Example',
  description: 'An example.',
  body: 'Your code is 4711.',
  address: '1 Example Street',
  city: 'London',
  country: 'GB',
  currency: 'EUR',
  language: 'en',
}

function candidates(name: string, field: Field): readonly JsonValue[] {
  const given = field.default === undefined ? [] : [field.default]
  const nothing = field.nullable === true ? [null] : []
  const isSilent = field.nullable === true && field.readOnly === true
  const made = isSilent ? [] : ofKind(name, field)
  return [...given, ...made, ...nothing]
}

function ofKind(name: string, field: Field): readonly JsonValue[] {
  switch (field.kind) {
    case 'text':
      return ofText(name, field)
    case 'reference':
      return [exampleId(field.collection.replace(/s$/, ''))]
    case 'integer':
    case 'number': {
      const { minimum = -Infinity, maximum = Infinity } = field
      return [1, 0, Math.ceil(minimum), Math.floor(maximum), (minimum + maximum) / 2].filter(
        Number.isFinite,
      )
    }
    case 'boolean':
      return [true]
    case 'timestamp':
      return [exampleTime]
    case 'choice':
      return field.enum
    case 'object': {
      const members = Object.entries(field.properties).filter(
        ([, member]) => member.internal !== true && member.writeOnly !== true,
      )
      const object = exampleObject(members)
      return object === undefined ? [] : [object]
    }
    case 'array':
      return ofArray(name, field)
    case 'map': {
      const value = fieldExample('value', field.values)
      return value === undefined ? [{}] : [{ key: value }, {}]
    }
  }
}

/** Returns an object with an example for each field; undefined if one has none. */
function exampleObject(members: readonly (readonly [string, Field])[]): JsonObject | undefined {
  const entries = members.map(([name, field]) => [name, fieldExample(name, field)] as const)
  const found = entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)
  return found.length === entries.length ? Object.fromEntries(found) : undefined
}

function ofText(name: string, field: TextField): readonly string[] {
  const { minLength = 0, maxLength = 200 } = field
  const named = Object.hasOwn(byName, name) ? [byName[name] ?? ''] : []
  const formed = field.format === undefined ? [] : [byFormat[field.format]]
  const sampled = [0, 1, 2, 5, 20, minLength].map((extra) =>
    field.pattern === undefined ? null : sampleText(field.pattern, extra),
  )
  const plain = 'Example'.repeat(Math.ceil(minLength / 7) || 1)
  return [
    ...formed,
    ...named,
    ...sampled.filter((text) => text !== null),
    plain.slice(0, Math.max(minLength, Math.min(maxLength, 7))),
  ]
}

/** Returns one item, or the required number of different ones. */
function ofArray(name: string, { items, minItems = 0 }: ArrayField<Field>): readonly JsonValue[] {
  const one = fieldExample(name.replace(/s$/, ''), items)
  if (one === undefined) return [[]]
  const count = Math.max(minItems, 1)
  const different = items.kind === 'choice' ? items.enum : numbered(one, count)
  return [[one], different.slice(0, count), Array.from({ length: count }, () => one), []]
}

function numbered(value: JsonValue, count: number): readonly JsonValue[] {
  return Array.from({ length: count }, (_, index) => {
    if (typeof value === 'number') return value + index
    return typeof value === 'string' ? `${value}${index + 1}` : value
  })
}
