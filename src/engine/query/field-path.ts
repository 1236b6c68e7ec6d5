import type { Field } from '../../core/declaration/field.ts'
import { common, type Compiled } from '../compiled.ts'

/** The field at a dotted path, or the reason why there is none. */
export type FieldAtPath =
  | {
      readonly path: readonly string[]
      readonly field: Field
      /** True if the field is in a map, which accepts any name. */
      readonly anyName: boolean
    }
  | { readonly refusal: string }

/**
 * Finds the field that a dotted path of a filter or a sort names. Finds only stored and served
 * fields, so filters cannot guess hidden values.
 */
export function findField(compiled: Compiled, dotted: string): FieldAtPath {
  const path = dotted.split('.')
  const [first = '', ...rest] = path
  const top = Object.hasOwn(common, first) ? common[first] : ownField(compiled, first)
  if (top === undefined) return { refusal: 'is not a field' }
  if (top.live === true) return { refusal: 'is worked out at each read and cannot be asked for' }
  let field: Field = top
  let anyName = false
  for (const name of rest) {
    const next = member(field, name)
    if (next === undefined) return { refusal: 'is not a field' }
    anyName ||= field.kind === 'map'
    field = next
  }
  return { path, field, anyName }
}

function ownField(compiled: Compiled, name: string): Field | undefined {
  const isServed = compiled.stored.includes(name) || compiled.live.includes(name)
  return isServed ? compiled.declared.fields[name] : undefined
}

function member(field: Field, name: string): Field | undefined {
  if (field.kind === 'object') {
    return Object.hasOwn(field.properties, name) ? field.properties[name] : undefined
  }
  return field.kind === 'map' && name !== '' ? field.values : undefined
}
