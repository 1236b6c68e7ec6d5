import { useId, type ReactNode } from 'react'
import { Described } from '../../ui/described.tsx'
import { fieldTitle } from '../columns.ts'
import { faultAt } from './field-faults.ts'
import { fieldHint } from './field-hint.ts'
import type { FieldProps } from './field-props.ts'
import { ListInput, MapInput, ObjectInput } from './nested-inputs.tsx'
import { plainInput } from './plain-input.tsx'
import { takesNumber, withoutPlusText } from './without-plus.ts'

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
  const { field, pointer, value, faults } = props
  const id = useId()
  const fault = faultAt(faults, pointer, field)
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
        <Described text={fieldHint(field)} />
      </p>
      {takesNumber(field) ? (
        <p className="caution" role="status">
          {withoutPlusText(String(value ?? ''))}
        </p>
      ) : null}
      {fault === null ? null : (
        <p className="fault" id={`${id}-fault`}>
          {label} {fault}
        </p>
      )}
    </div>
  )
}
