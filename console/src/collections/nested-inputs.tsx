import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { fieldTitle } from './columns.ts'
import type { FieldProps } from './field-props.ts'

type AnyInput = (props: FieldProps) => ReactNode

/** The members of an object. */
export function ObjectInput({ Input, ...props }: FieldProps & { Input: AnyInput }): ReactNode {
  return (
    <fieldset>
      <legend>{fieldTitle(props.field.name)}</legend>
      <Members {...props} Input={Input} />
    </fieldset>
  )
}

function Members({ Input, ...props }: FieldProps & { Input: AnyInput }): ReactNode {
  const { field, pointer, value, faults, onChange } = props
  const members = recordOf(value)
  return field.members.map((member) => (
    <Input
      key={member.name}
      field={member}
      pointer={`${pointer}/${member.name}`}
      value={members[member.name]}
      faults={faults}
      onChange={(next) => onChange({ ...members, [member.name]: next })}
    />
  ))
}

/** A list of objects, each with its members. */
export function ListInput({ Input, ...props }: FieldProps & { Input: AnyInput }): ReactNode {
  const { field, pointer, value, faults, onChange } = props
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const { item } = field
  if (item === null) return null
  return (
    <fieldset>
      <legend>{fieldTitle(field.name)}</legend>
      <p className="hint muted">{field.description}</p>
      {items.map((one, index) => (
        <div key={index} className="item-input">
          <Members
            Input={Input}
            field={item}
            pointer={`${pointer}/${index}`}
            value={one}
            faults={faults}
            onChange={(next) => onChange(items.with(index, next))}
          />
          <Button
            small
            look="plain"
            icon="close"
            iconOnly
            onPress={() => onChange(items.toSpliced(index, 1))}
          >
            {`Remove ${fieldTitle(field.name)} ${index + 1}`}
          </Button>
        </div>
      ))}
      <div>
        <Button small icon="plus" onPress={() => onChange([...items, {}])}>
          Add
        </Button>
      </div>
    </fieldset>
  )
}

/** Texts by name, such as header fields. */
export function MapInput({ field, value, onChange }: FieldProps): ReactNode {
  const entries = Object.entries(recordOf(value))
  const write = (next: readonly (readonly [string, unknown])[]): void =>
    onChange(Object.fromEntries(next))
  return (
    <fieldset>
      <legend>{fieldTitle(field.name)}</legend>
      <p className="hint muted">{field.description}</p>
      {entries.map(([name, text], index) => (
        <div key={index} className="row">
          <input
            className="input"
            aria-label={`Name ${index + 1}`}
            value={name}
            onChange={({ target }) => write(entries.with(index, [target.value, text]))}
          />
          <input
            className="input"
            aria-label={`Value ${index + 1}`}
            value={text === null ? '' : String(text)}
            placeholder={text === null ? 'unchanged' : ''}
            onChange={({ target }) => write(entries.with(index, [name, target.value]))}
          />
          <Button
            small
            look="plain"
            icon="close"
            iconOnly
            onPress={() => write(entries.toSpliced(index, 1))}
          >
            {`Remove ${name}`}
          </Button>
        </div>
      ))}
      <div>
        <Button small icon="plus" onPress={() => write([...entries, ['', '']])}>
          Add
        </Button>
      </div>
    </fieldset>
  )
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
