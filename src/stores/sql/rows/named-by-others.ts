import { type Collection, qualifiedName } from '../../../core/declaration/collection.ts'
import type { Field } from '../../../core/declaration/field.ts'

/** Whether instances of other collections can name one of this, or be nested in it. */
export function isNamedByOthers(declared: Collection, all: readonly Collection[]): boolean {
  const name = qualifiedName(declared)
  return all.some(
    ({ parent, fields }) =>
      parent === name || Object.values(fields).some((field) => names(field, name)),
  )
}

function names(field: Field, collection: string): boolean {
  switch (field.kind) {
    case 'reference':
      return field.collection === collection
    case 'array':
      return names(field.items, collection)
    case 'map':
      return names(field.values, collection)
    case 'object':
      return Object.values(field.properties).some((inner) => names(inner, collection))
    default:
      return false
  }
}
