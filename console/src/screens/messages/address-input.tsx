import type { ReactNode } from 'react'
import { faultAt } from '../../collections/form/field-faults.ts'

/** What both address inputs take. */
export interface AddressProps {
  readonly value: string
  readonly faults: ReadonlyMap<string, string>
  readonly onChange: (value: string) => void
}

interface Props extends AddressProps {
  /** The field of the message. */
  readonly name: 'to' | 'from'
  readonly label: string
  readonly required?: boolean
  readonly placeholder: string
  readonly hint: ReactNode
  /** How the service reads the address, if that is not what people expect. */
  readonly caution?: string | null
  readonly suggested: readonly {
    readonly id: string
    readonly address: string
    readonly name?: string | null
  }[]
}

/** An address that is typed, or chosen from known ones. */
export function AddressInput(props: Props): ReactNode {
  const { name, label, required = false, placeholder, hint, suggested } = props
  const fault = faultAt(props.faults, `/${name}`)
  return (
    <div className="field">
      <label htmlFor={name}>
        {label} {required ? <span className="required">(required)</span> : null}
      </label>
      <input
        id={name}
        className="input"
        required={required}
        autoFocus={required}
        autoComplete="off"
        list={`${name}-known`}
        aria-invalid={fault !== null}
        aria-describedby={`${name}-hint`}
        placeholder={placeholder}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value)}
      />
      <datalist id={`${name}-known`}>
        {suggested.map(({ id, name, address }) => (
          <option key={id} value={address}>
            {name ?? ''}
          </option>
        ))}
      </datalist>
      <p className="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <p className="caution" role="status">
        {props.caution ?? null}
      </p>
      {fault === null ? null : (
        <p className="fault">
          {label} {fault}
        </p>
      )}
    </div>
  )
}
