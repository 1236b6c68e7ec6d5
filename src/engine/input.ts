import { type JsonObject, type JsonValue, sameJson } from '../core/json.ts'
import type { InputError } from '../core/problem.ts'
import type { Fields } from '../core/declaration/field.ts'
import type { Compiled } from './compiled.ts'
import { noteUnknown, fieldReader, pointerToken } from './field-reader.ts'

/** The fields that a client sent for an instance. */
export interface Input {
  /** The fields that it may set and gave, normalised, in declared order; those at fault are left out. */
  readonly values: JsonObject
  readonly errors: readonly InputError[]
}

/**
 * Reads the settable fields of a body and skips read-only ones. A client may omit fields that are
 * already stored in `hidden`.
 */
export function readInput(
  compiled: Compiled,
  body: JsonObject,
  hidden: JsonObject | null = null,
): Input {
  const errors: InputError[] = []
  const values: Record<string, JsonValue> = {}
  noteUnknown(body, compiled.known, '', errors)
  for (const { name, pointer, field, read: readValue } of compiled.settable) {
    const value = Object.hasOwn(body, name) ? body[name] : undefined
    if (value !== undefined) {
      const before = errors.length
      const read = readValue(value, pointer, errors)
      if (errors.length === before) values[name] = read
    } else if (field.required === true && !Object.hasOwn(hidden ?? {}, name)) {
      errors.push({ pointer, detail: 'is required' })
    }
  }
  return { values, errors }
}

/** Returns the input with one more fault, and without the faulty field. */
export function withFault({ values, errors }: Input, name: string, error: InputError): Input {
  const { [name]: _, ...sound } = values
  return { values: sound, errors: [...errors, error] }
}

/** Returns the correct fields of an instance, without those that are faulty in the input. */
export function soundOf(
  instance: JsonObject,
  { settable }: Compiled,
  { values, errors }: Input,
): JsonObject {
  const faulty = new Set(errors.flatMap((error) => ('pointer' in error ? [topOf(error)] : [])))
  const unsound = new Set(
    settable
      .filter(({ name, pointer }) => faulty.has(pointer) && !Object.hasOwn(values, name))
      .map(({ name }) => name),
  )
  return Object.fromEntries(Object.entries(instance).filter(([name]) => !unsound.has(name)))
}

function topOf({ pointer }: { readonly pointer: string }): string {
  return `/${pointer.split('/')[1] ?? ''}`
}

/** An instance, parsed: its served part and its hidden part. */
export interface InstanceParts {
  readonly instance: JsonObject
  readonly hidden: JsonObject | null
}

/**
 * Composes an instance from the input's values and the defaults. Read-only fields stay unchanged,
 * and are null in a new instance. Omitted write-only fields stay unchanged too. `now` is the time
 * of a new instance.
 */
export function compose(
  compiled: Compiled,
  id: string,
  input: JsonObject,
  before: InstanceParts | null,
  now: string,
): InstanceParts {
  const instance: Record<string, JsonValue> = { ...compiled.blank, id }
  for (const name of compiled.stored) {
    const field = compiled.declared.fields[name]
    const value = field?.readOnly === true ? before?.instance[name] : input[name]
    instance[name] = value ?? field?.default ?? null
  }
  instance['createdAt'] = before?.instance['createdAt'] ?? now
  instance['updatedAt'] = before?.instance['updatedAt'] ?? now
  return { instance, hidden: composeHidden(compiled, input, before?.hidden ?? null) }
}

/** Returns whether a write would change nothing. The time of the last change does not count. */
export function sameContent(before: InstanceParts, after: InstanceParts): boolean {
  const [was, is] = [before.instance, after.instance]
  const names = Object.keys(is)
  return (
    names.length === Object.keys(was).length &&
    names.every((name) => name === 'updatedAt' || sameJson(was[name], is[name])) &&
    sameJson(before.hidden ?? {}, after.hidden ?? {})
  )
}

/** Returns the names of the fields in which an instance differs from the one before. */
export function changedFields(
  before: InstanceParts | null,
  { instance, hidden }: InstanceParts,
  input: JsonObject,
): readonly string[] {
  if (before === null) return Object.keys(input)
  const shown = Object.keys(instance).filter(
    (name) =>
      name !== 'updatedAt' && !sameJson(instance[name] ?? null, before.instance[name] ?? null),
  )
  if (sameJson(hidden, before.hidden)) return shown
  // A hidden field may have another name than the one that the client gives.
  const hiddenInput = Object.keys(input).filter((name) => !Object.hasOwn(instance, name))
  return [...new Set([...shown, ...hiddenInput])]
}

function composeHidden(
  compiled: Compiled,
  input: JsonObject,
  before: JsonObject | null,
): JsonObject | null {
  const hidden: Record<string, JsonValue> = { ...before }
  for (const { name, field } of compiled.settable) {
    const value = input[name]
    if (field.writeOnly === true && value !== undefined) hidden[name] = value
  }
  return Object.keys(hidden).length === 0 ? null : hidden
}

/** Settings that were read, divided into served and hidden ones. */
export interface SettingsReader {
  readonly shown: JsonObject
  readonly secrets: JsonObject
  readonly errors: readonly InputError[]
}

/**
 * Reads settings by their fields and completes them with defaults. An omitted write-only field
 * takes its value from `hidden`. `pointer` is the JSON Pointer of the settings in the body.
 */
export function readSettings(
  fields: Fields,
  given: JsonObject,
  hidden: JsonObject,
  pointer = '/settings',
): SettingsReader {
  const errors: InputError[] = []
  const shown: Record<string, JsonValue> = {}
  const secrets: Record<string, JsonValue> = {}
  for (const [name, field] of Object.entries(fields)) {
    const at = `${pointer}/${pointerToken(name)}`
    const into = field.writeOnly === true ? secrets : shown
    const known = field.writeOnly === true && Object.hasOwn(hidden, name) ? hidden[name] : undefined
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined) into[name] = fieldReader(field)(value, at, errors)
    else if (known !== undefined) into[name] = known
    else if (field.required === true) errors.push({ pointer: at, detail: 'is required' })
    else into[name] = field.default ?? null
  }
  noteUnknown(given, fields, pointer, errors)
  return { shown, secrets, errors }
}
