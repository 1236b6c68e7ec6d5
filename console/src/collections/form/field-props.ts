import { defaultOf, type FieldDescription } from '../../api/field.ts'

/** A field of a form: its declaration, its value, and the faults that the service found. */
export interface FieldProps {
  readonly field: FieldDescription
  /** The JSON Pointer of the value. */
  readonly pointer: string
  readonly value: unknown
  readonly faults: ReadonlyMap<string, string>
  /** Undefined: not filled in. */
  readonly onChange: (value: unknown) => void
}

/** Returns the default of a field as an empty input shows it; an empty text if it says nothing. */
export function defaultText({ schema }: FieldDescription): string {
  const given = schema['x-default']
  return given === undefined || given === null || typeof given === 'object' ? '' : String(given)
}

/** Returns the ticked choices of a list: those of its default until it is filled in. */
export function chosenIn(field: FieldDescription, value: unknown): readonly unknown[] {
  const shown = value ?? defaultOf(field)
  return Array.isArray(shown) ? shown : []
}

/** Returns a list as it is sent: an empty one overrides a default. */
export function chosenValue(field: FieldDescription, chosen: readonly string[]): unknown {
  return chosen.length === 0 && defaultOf(field) === undefined ? undefined : chosen
}
