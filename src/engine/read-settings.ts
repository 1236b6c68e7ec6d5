import type { Fields } from '../core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import type { InputError } from '../core/problem.ts'
import { fieldReader, noteUnknown, pointerToken } from './field-reader.ts'

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
