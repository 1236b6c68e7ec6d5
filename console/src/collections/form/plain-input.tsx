import { useState, type ReactNode } from 'react'
import { defaultOf } from '../../api/field.ts'
import { chosenIn, chosenValue, defaultText, type FieldProps } from './field-props.ts'
import { fieldTitle } from '../columns.ts'

interface Props extends FieldProps {
  readonly id: string
  readonly isInvalid: boolean
}

/** Texts of more characters get several lines. */
const lineCharsMax = 500

/** Returns the control for a single value. */
export function plainInput(props: Props): ReactNode {
  const { field, value, onChange } = props
  const common = commonOf(props)
  switch (field.kind) {
    case 'choice':
      return <Choice {...props} />
    case 'boolean':
      return <YesOrNo {...props} />
    case 'list':
      return (field.item?.choices.length ?? 0) > 0 ? <Choices {...props} /> : <Lines {...props} />
    case 'json':
      return <Json {...props} />
    case 'integer':
    case 'number':
      return (
        <input
          {...common}
          inputMode="decimal"
          value={textOf(value)}
          placeholder={defaultText(field)}
          onChange={({ target }) => onChange(numberIn(target.value))}
        />
      )
    case 'time':
      return (
        <input
          {...common}
          type="datetime-local"
          step={1}
          value={localTime(value)}
          onChange={({ target }) => onChange(utcTime(target.value))}
        />
      )
    default:
      return <TextInput {...props} />
  }
}

function TextInput(props: Props): ReactNode {
  const { field, value, onChange } = props
  const common = commonOf(props)
  const isLong = (field.schema.maxLength ?? 0) > lineCharsMax && field.schema.format === undefined
  if (isLong) {
    return (
      <textarea
        {...common}
        value={textOf(value)}
        onChange={({ target }) => onChange(textIn(target.value))}
      />
    )
  }
  return (
    <input
      {...common}
      type={field.writeOnly && /password|secret|token/i.test(field.name) ? 'password' : 'text'}
      autoComplete="off"
      spellCheck={false}
      value={textOf(value)}
      onChange={({ target }) => onChange(textIn(target.value))}
    />
  )
}

function commonOf({ id, isInvalid, field }: Props) {
  return {
    id,
    className: 'input',
    required: field.required && field.kind !== 'list',
    'aria-invalid': isInvalid,
    'aria-describedby': isInvalid ? `${id}-hint ${id}-fault` : `${id}-hint`,
  } as const
}

function Choice(props: Props): ReactNode {
  const { field, value, onChange } = props
  const shown = value ?? defaultOf(field)
  const unset = defaultText(field) || (field.nullable ? 'automatic' : 'the usual')
  return (
    <select
      {...commonOf(props)}
      value={textOf(shown)}
      onChange={({ target }) => onChange(textIn(target.value))}
    >
      {defaultOf(field) === undefined ? (
        <option value="">{field.required ? 'Choose…' : `Not set (${unset})`}</option>
      ) : null}
      {field.choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </select>
  )
}

function YesOrNo(props: Props): ReactNode {
  const { field, value, onChange } = props
  const isOn = (value ?? defaultOf(field)) === true
  return (
    <input
      {...commonOf(props)}
      required={false}
      className="switch-input"
      type="checkbox"
      role="switch"
      checked={isOn}
      onChange={({ target }) => onChange(target.checked)}
    />
  )
}

function Choices({ field, value, onChange }: Props): ReactNode {
  const chosen = chosenIn(field, value)
  const choices = field.item?.choices ?? []
  return (
    <div className="row wrap">
      {choices.map((choice) => (
        <label key={choice} className="check">
          <input
            type="checkbox"
            aria-label={`${fieldTitle(field.name)}: ${choice}`}
            checked={chosen.includes(choice)}
            onChange={({ target }) => {
              const next = choices.filter((one) =>
                one === choice ? target.checked : chosen.includes(one),
              )
              onChange(chosenValue(field, next))
            }}
          />
          {choice}
        </label>
      ))}
    </div>
  )
}

function Lines(props: Props): ReactNode {
  const { value, onChange } = props
  const given = Array.isArray(value) ? value.join('\n') : ''
  const [typed, setTyped] = useState(given)
  // A line that is begun is empty; other changes of the value replace what was typed.
  const isTyped = linesOf(typed).join('\n') === given
  return (
    <textarea
      {...commonOf(props)}
      placeholder="One on each line"
      value={isTyped ? typed : given}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(linesOf(target.value))
      }}
    />
  )
}

function linesOf(text: string): readonly string[] {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.filter((line) => line !== '')
}

function Json(props: Props): ReactNode {
  const { value, onChange } = props
  return (
    <textarea
      {...commonOf(props)}
      className="input mono"
      spellCheck={false}
      placeholder="{ }"
      defaultValue={value === undefined ? '' : JSON.stringify(value, null, 2)}
      onChange={({ target }) => onChange(jsonIn(target.value))}
    />
  )
}

/** Text that is no JSON yet is sent as it is: the service names the fault. */
function jsonIn(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function numberIn(text: string): unknown {
  if (text.trim() === '') return undefined
  const number = Number(text)
  return Number.isNaN(number) ? text : number
}

function textIn(text: string): string | undefined {
  return text === '' ? undefined : text
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : String(value)
}

/** Returns a time for an input, which knows the local zone only. */
function localTime(value: unknown): string {
  if (typeof value !== 'string' || value === '') return ''
  const time = new Date(value)
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 19)
}

function utcTime(text: string): string | undefined {
  return text === '' ? undefined : new Date(text).toISOString()
}
