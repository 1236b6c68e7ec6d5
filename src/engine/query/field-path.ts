import type { Field } from '../../core/declaration/field.ts'
import { common, type Compiled } from '../compiled.ts'
import { isNoField, unknownField } from '../unknown-field.ts'

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
  if (top === undefined) return { refusal: isNoField }
  if (top.live === true) return { refusal: 'is worked out at each read and cannot be asked for' }
  let field: Field = top
  let anyName = false
  for (const name of rest) {
    const next = member(field, name)
    if (next === undefined) return { refusal: isNoField }
    anyName ||= field.kind === 'map'
    field = next
  }
  return { path, field, anyName }
}

/**
 * Returns the refusal of a dotted path, with the nearest name if it is unknown. `others` are names besides the
 * fields, `faults` those of the request so far.
 */
export function refusalOf(
  compiled: Compiled,
  dotted: string,
  refusal: string,
  { faults, others = [] }: { readonly faults: number; readonly others?: readonly string[] },
): string {
  if (refusal !== isNoField) return refusal
  let known: readonly string[] = [...Object.keys(common), ...compiled.stored, ...others]
  let fields = { ...compiled.declared.fields, ...common }
  for (const name of dotted.split('.')) {
    if (!known.includes(name)) return unknownField(name, known, faults)
    const field = fields[name]
    fields = field?.kind === 'object' ? field.properties : {}
    known = Object.keys(fields)
  }
  return refusal
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
