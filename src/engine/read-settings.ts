import type { Fields } from '../core/declaration/field.ts'
import type { JsonObject, JsonValue } from '../core/json.ts'
import type { InputError } from '../core/problem.ts'
import { fieldReader, noteUnknown, pointerToken } from './field-reader.ts'

/** Settings as they were read: what may be shown of them, and what may not. */
export interface SettingsReader {
  readonly shown: JsonObject
  readonly secrets: JsonObject
  readonly errors: readonly InputError[]
}

/**
 * Reads settings after their fields, with defaults for what is not given. Of a write-only field that
 * is not given the value in `kept` stays. `pointer` is where the settings stand in the body.
 */
export function readSettings(
  fields: Fields,
  given: JsonObject,
  kept: JsonObject,
  pointer = '/settings',
): SettingsReader {
  const errors: InputError[] = []
  const shown: Record<string, JsonValue> = {}
  const secrets: Record<string, JsonValue> = {}
  for (const [name, field] of Object.entries(fields)) {
    const at = `${pointer}/${pointerToken(name)}`
    const into = field.writeOnly === true ? secrets : shown
    const known = field.writeOnly === true && Object.hasOwn(kept, name) ? kept[name] : undefined
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value !== undefined) into[name] = fieldReader(field)(value, at, errors)
    else if (known !== undefined) into[name] = known
    else if (field.required === true) errors.push({ pointer: at, detail: 'is required' })
    else into[name] = field.default ?? null
  }
  noteUnknown(given, fields, pointer, errors)
  return { shown, secrets, errors }
}
