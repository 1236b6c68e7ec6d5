import type { JsonObject, JsonValue } from '../core/json.ts'
import type { InputError } from '../core/problem.ts'
import type { Compiled } from './compiled.ts'
import { noteUnknown } from './field-reader.ts'

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
