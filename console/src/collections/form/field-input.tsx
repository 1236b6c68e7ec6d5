import { useId, type ReactNode } from 'react'
import type { FieldDescription } from '../../api/field.ts'
import { Described } from '../../ui/described.tsx'
import { numberText } from '../../ui/numbers.ts'
import { fieldTitle } from '../columns.ts'
import type { FieldProps } from './field-props.ts'
import { ListInput, MapInput, ObjectInput } from './nested-inputs.tsx'
import { plainInput } from './plain-input.tsx'

/** An input for any field, with its text, its limits and its fault. */
export function FieldInput(props: FieldProps): ReactNode {
  const { field } = props
  switch (field.kind) {
    case 'object':
      return <ObjectInput {...props} Input={FieldInput} />
    case 'map':
      return <MapInput {...props} />
    case 'list':
      return field.item?.kind === 'object' ? (
        <ListInput {...props} Input={FieldInput} />
      ) : (
        <LabelledInput {...props} />
      )
    default:
      return <LabelledInput {...props} />
  }
}

function LabelledInput(props: FieldProps): ReactNode {
  const { field, pointer, faults } = props
  const id = useId()
  const fault = faultAt(faults, pointer)
  const label = fieldTitle(field.name)
  const isGroup = field.kind === 'list' && (field.item?.choices.length ?? 0) > 0
  return (
    <div
      className="field"
      role={isGroup ? 'group' : undefined}
      aria-labelledby={isGroup ? `${id}-label` : undefined}
    >
      <label id={`${id}-label`} htmlFor={isGroup ? undefined : id}>
        {label} {field.required ? <span className="required">(required)</span> : null}
      </label>
      {plainInput({ ...props, id, isInvalid: fault !== null })}
      <p className="hint" id={`${id}-hint`}>
        <Described
          text={[field.description, limitsOf(field)].filter((text) => text !== '').join(' ')}
        />
      </p>
      {fault === null ? null : (
        <p className="fault" id={`${id}-fault`}>
          {label} {fault}
        </p>
      )}
    </div>
  )
}

/** Returns the fault of a value or of a part of it. */
export function faultAt(faults: ReadonlyMap<string, string>, pointer: string): string | null {
  const exact = faults.get(pointer)
  if (exact !== undefined) return exact
  const inner = [...faults].find(([place]) => place.startsWith(`${pointer}/`))
  return inner === undefined ? null : `${inner[0].slice(pointer.length + 1)}: ${inner[1]}`
}

/** Writes the limits of a field as people read them. */
function limitsOf({ schema, kind }: FieldDescription): string {
  const { minimum, maximum, maxLength, maxItems } = schema
  if (minimum !== undefined && maximum !== undefined) {
    return `${numberText(minimum)} to ${numberText(maximum)}.`
  }
  if (kind === 'list' && maxItems !== undefined) return `At most ${numberText(maxItems)}.`
  return kind === 'text' && maxLength !== undefined && maxLength <= 1000
    ? `At most ${numberText(maxLength)} characters.`
    : ''
}
