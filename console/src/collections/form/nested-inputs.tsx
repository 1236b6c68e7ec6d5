import type { ReactNode } from 'react'
import type { FieldDescription } from '../../api/field.ts'
import { Described } from '../../ui/described.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldTitle } from '../columns.ts'
import { faultAt } from './field-faults.ts'
import { fieldHint } from './field-hint.ts'
import type { FieldProps } from './field-props.ts'

type AnyInput = (props: FieldProps) => ReactNode

/** The members of an object. */
export function ObjectInput({ Input, ...props }: FieldProps & { Input: AnyInput }): ReactNode {
  const { field, pointer, faults } = props
  return (
    <fieldset>
      <legend>{fieldTitle(field.name)}</legend>
      <Notes field={field} fault={faults.get(pointer) ?? null} />
      <Members {...props} Input={Input} />
    </fieldset>
  )
}

/** What the declaration says about the whole of a nested value, and its fault. */
function Notes({ field, fault }: Pick<ItemsProps<never>, 'field' | 'fault'>): ReactNode {
  const hint = fieldHint(field)
  return (
    <>
      {hint === '' ? null : (
        <p className="hint muted">
          <Described text={hint} />
        </p>
      )}
      {fault === null ? null : (
        <p className="fault">
          {fieldTitle(field.name)} {fault}
        </p>
      )}
    </>
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
    <Items
      field={field}
      fault={faults.get(pointer) ?? null}
      items={items}
      empty={{}}
      className="item-input"
      onChange={onChange}
    >
      {(one, index, set) => (
        <Members
          Input={Input}
          field={item}
          pointer={`${pointer}/${index}`}
          value={one}
          faults={faults}
          onChange={set}
        />
      )}
    </Items>
  )
}

type Entry = readonly [name: string, text: unknown]

/** Texts by name, such as header fields. */
export function MapInput({ field, pointer, value, faults, onChange }: FieldProps): ReactNode {
  const entries: readonly Entry[] = Object.entries(recordOf(value))
  return (
    <Items
      field={field}
      fault={faultAt(faults, pointer, field)}
      items={entries}
      empty={['', '']}
      className="row"
      onChange={(next) => onChange(Object.fromEntries(next))}
    >
      {([name, text], index, set) => (
        <>
          <input
            className="input"
            aria-label={`Name ${index + 1}`}
            value={name}
            onChange={({ target }) => set([target.value, text])}
          />
          <input
            className="input"
            aria-label={`Value ${index + 1}`}
            value={text === null ? '' : String(text)}
            placeholder={text === null ? 'unchanged' : ''}
            onChange={({ target }) => set([name, target.value])}
          />
        </>
      )}
    </Items>
  )
}

interface ItemsProps<Item> {
  readonly field: FieldDescription
  /** The fault that belongs to no single input. */
  readonly fault: string | null
  readonly items: readonly Item[]
  /** What a new item holds. */
  readonly empty: Item
  readonly className: string
  readonly onChange: (items: readonly Item[]) => void
  readonly children: (item: Item, index: number, set: (item: Item) => void) => ReactNode
}

/** Items that can be removed and added. */
function Items<Item>(props: ItemsProps<Item>): ReactNode {
  const { field, fault, items, empty, className, onChange, children } = props
  const title = fieldTitle(field.name)
  return (
    <fieldset>
      <legend>{title}</legend>
      <Notes field={field} fault={fault} />
      {items.map((one, index) => (
        <div key={index} className={className}>
          {children(one, index, (next) => onChange(items.with(index, next)))}
          <Button
            small
            look="plain"
            icon="close"
            iconOnly
            onPress={() => onChange(items.toSpliced(index, 1))}
          >
            {`Remove ${title} ${index + 1}`}
          </Button>
        </div>
      ))}
      <div>
        <Button small icon="plus" onPress={() => onChange([...items, empty])}>
          Add
        </Button>
      </div>
    </fieldset>
  )
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}
