import type { Collection } from '../../core/declaration/collection.ts'
import type { Field, Fields } from '../../core/declaration/field.ts'
import { isJsonObject, type JsonValue } from '../../core/json.ts'
import type { VersionChange } from '../../core/declaration/version.ts'
import { fieldExample } from '../schemas/examples.ts'

/** A change of one field. */
export type FieldChange = Exclude<VersionChange, { readonly kind: `collection${string}` }>

/** A collection as the version before a change of one of its fields knew it. */
export function fieldsBefore(after: Collection, change: FieldChange): Collection {
  switch (change.kind) {
    case 'fieldRenamed': {
      const named = (name: string): string => (name === change.to ? change.from : name)
      return {
        ...after,
        fields: mapped(after.fields, (name, field) => [[named(name), field]]),
        searchedBy: after.searchedBy.map(named),
      }
    }
    case 'fieldAdded':
      return {
        ...after,
        fields: mapped(after.fields, (name, field) =>
          name === change.field ? [] : [[name, field]],
        ),
        searchedBy: after.searchedBy.filter((name) => name !== change.field),
      }
    case 'fieldRemoved': {
      const { required: _, ...was } = change.was ?? fieldOf(change.value)
      // Removed fields are read-only and cannot be filtered, like computed fields.
      const field: Field = { ...was, readOnly: true, live: true }
      return { ...after, fields: { ...after.fields, [change.field]: field } }
    }
    case 'fieldChanged':
      return {
        ...after,
        fields: mapped(after.fields, (name, field) => [
          [name, name === change.field ? (change.was ?? fieldBefore(name, field, change)) : field],
        ]),
      }
  }
}

function mapped(
  fields: Fields,
  each: (name: string, field: Field) => readonly (readonly [string, Field])[],
): Fields {
  return Object.fromEntries(Object.entries(fields).flatMap(([name, field]) => each(name, field)))
}

/** Derives the earlier form of a field from its values, if no declaration has it. */
function fieldBefore(
  name: string,
  field: Field,
  { down }: Extract<FieldChange, { readonly kind: 'fieldChanged' }>,
): Field {
  const { default: given, ...traits } = field
  const byDefault = given === undefined ? {} : valueOf('default', () => down(given))
  if (field.kind === 'choice') {
    const values = field.enum.flatMap((value) => valueOf('value', () => down(value)).value ?? [])
    const texts = values.filter((value) => typeof value === 'string')
    if (texts.length === field.enum.length) return { ...field, ...byDefault, enum: texts }
  }
  const example = fieldExample(name, { ...traits, nullable: false })
  const { value } = valueOf('value', () => down(example ?? null))
  const { description, required, nullable, readOnly, writeOnly, internal, live } = field
  const kept = { description, required, nullable, readOnly, writeOnly, internal, live }
  const known = Object.fromEntries(Object.entries(kept).filter(([, each]) => each !== undefined))
  return { ...fieldOf(value ?? null), ...known, ...byDefault }
}

/**
 * Returns the result of an operator's function for a value that it may not expect; empty if it
 * throws.
 */
function valueOf<K extends string>(
  key: K,
  make: () => JsonValue,
): { readonly [N in K]?: JsonValue } {
  try {
    return { [key]: make() } as { readonly [N in K]?: JsonValue }
  } catch {
    return {}
  }
}

/** Returns a field without limits for a value. For null it is a text, since the type is unknown. */
export function fieldOf(value: JsonValue): Field {
  if (value === null) return { kind: 'text', nullable: true }
  if (Array.isArray(value)) return { kind: 'array', items: fieldOf(value[0] ?? '') }
  if (isJsonObject(value)) return { kind: 'object', properties: {}, open: true }
  if (typeof value === 'number') return { kind: 'number' }
  return typeof value === 'boolean' ? { kind: 'boolean' } : { kind: 'text' }
}
