import { didYouMean } from '../../core/declaration/nearest.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import type { FieldFlag } from '../arguments.ts'
import { printable } from '../printable.ts'
import { resolved, type ApiDocument, type InputSchema } from './api-document.ts'

/** An input made of flags, and the faults of the flags. */
export interface FieldInput {
  readonly input: JsonObject
  readonly faults: readonly string[]
}

/**
 * Adds fields given as flags to an input. The schema decides how a text is read; a dot reaches into
 * an object. The service checks the values.
 */
export function withFields(
  input: JsonObject,
  fields: readonly FieldFlag[],
  schema: InputSchema,
  document: ApiDocument,
): FieldInput {
  const faults: string[] = []
  let result = input
  const given = new Set<string>()
  for (const [name, text] of fields) {
    const path = name.split('.')
    const found = schemaAt(schema, path, document)
    if (found === null || found.readOnly === true) {
      faults.push(found === null ? unknownField(name, schema, document) : setByService(name))
      continue
    }
    const value = valueOf(text, found, document)
    const before = given.has(name) ? at(result, path) : undefined
    const isFurther = Array.isArray(before) && Array.isArray(value)
    result = withValue(result, path, isFurther ? [...before, ...value] : value)
    given.add(name)
  }
  return { input: result, faults }
}

/** Returns the schema of a field; null if the input has no such field. */
function schemaAt(
  schema: InputSchema,
  path: readonly string[],
  document: ApiDocument,
): InputSchema | null {
  const [name, ...rest] = path
  if (name === undefined) return schema
  const { properties = {}, additionalProperties = true } = schema
  const further = additionalProperties === true ? {} : additionalProperties
  const known = Object.hasOwn(properties, name) ? properties[name] : undefined
  const member = known ?? (isNested(schema) ? further : false)
  return member === false || member === undefined
    ? null
    : schemaAt(resolved(document, member), rest, document)
}

/** Returns true if a value of the schema can have members. */
function isNested(schema: InputSchema): boolean {
  return schema.type === undefined || typesOf(schema).includes('object')
}

function typesOf({ type = [] }: InputSchema): readonly string[] {
  return typeof type === 'string' ? [type] : type
}

/** Returns the value that a text means. A text that is no such value stays a text. */
function valueOf(text: string, schema: InputSchema, document: ApiDocument): JsonValue {
  const types = typesOf(schema)
  if (types.length === 0) return parsed(text) ?? text
  if (text === 'null' && types.includes('null')) return null
  if (types.includes('array')) return listOf(text, schema, document)
  if (types.includes('boolean')) return text === 'true' || (text === 'false' ? false : text)
  if (types.includes('integer') || types.includes('number')) return numberOf(text)
  return types.includes('object') ? (parsed(text) ?? text) : text
}

/** Reads a JSON array, or texts separated by commas. */
function listOf(text: string, { items = {} }: InputSchema, document: ApiDocument): JsonValue {
  const whole = text.startsWith('[') ? parsed(text) : undefined
  if (whole !== undefined) return whole
  const item = resolved(document, items)
  if (typesOf(item).includes('object')) return [parsed(text) ?? text]
  return text === '' ? [] : text.split(',').map((each) => valueOf(each, item, document))
}

function numberOf(text: string): JsonValue {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}

/** Returns the value of a JSON text; undefined for any other text. */
function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function at(value: JsonValue | undefined, path: readonly string[]): JsonValue | undefined {
  const [name, ...rest] = path
  if (name === undefined) return value
  return isJsonObject(value) ? at(value[name], rest) : undefined
}

function withValue(object: JsonObject, path: readonly string[], value: JsonValue): JsonObject {
  const [name = '', ...rest] = path
  const member = object[name]
  const inner = isJsonObject(member) ? member : {}
  return { ...object, [name]: rest.length === 0 ? value : withValue(inner, rest, value) }
}

function setByService(name: string): string {
  return `The service sets ${name}: leave out --${name}.`
}

function unknownField(name: string, schema: InputSchema, document: ApiDocument): string {
  if (name === 'account') return writesInOwn('another account')
  const names = namesIn(schema, document, '').map((each) => `--${each}`)
  return `The flag --${name} is unknown.${didYouMean(`--${name}`, names)}`
}

/** Returns the refusal of a write that names an account, and how to make it. */
export function writesInOwn(account: string): string {
  return (
    `A write is in the account of the key: use a key of ${printable(account)}. ` +
    'An administrator makes one with "nuncio keys create --account <id> --scopes <scopes>".'
  )
}

/** Returns the names of the fields that an input may have, those of nested objects with dots. */
function namesIn(schema: InputSchema, document: ApiDocument, before: string): readonly string[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) => {
    const found = resolved(document, member)
    if (found.readOnly === true) return []
    return [`${before}${name}`, ...namesIn(found, document, `${before}${name}.`)]
  })
}
