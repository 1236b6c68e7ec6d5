import type { Field } from '../../core/declaration/field.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'

/** A field without limits that a value fits. What null was the value of, nobody can tell: a text. */
export function fieldOf(value: JsonValue): Field {
  if (value === null) return { kind: 'text', nullable: true }
  if (Array.isArray(value)) return { kind: 'array', items: fieldOf(value[0] ?? '') }
  if (isJsonObject(value)) return { kind: 'object', properties: {}, open: true }
  if (typeof value === 'number') return { kind: 'number' }
  return typeof value === 'boolean' ? { kind: 'boolean' } : { kind: 'text' }
}
