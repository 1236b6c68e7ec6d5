import type { FieldDescription } from '../../api/field.ts'

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
