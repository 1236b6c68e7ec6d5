import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { usePermission } from '../../api/use-session.ts'
import { useCollection } from '../../api/queries.ts'
import { faultAt } from '../../collections/field-input.tsx'

interface Props {
  readonly value: string
  readonly faults: ReadonlyMap<string, string>
  readonly onChange: (value: string) => void
}

/** Contacts that are suggested. */
const contactsMax = 20

/** The recipient: a number, or a contact by name. */
export function RecipientInput({ value, faults, onChange }: Props): ReactNode {
  const mayRead = usePermission(useCollection('contacts')?.scopes.list)
  const { data } = useQuery({
    queryKey: ['contact-names', value],
    queryFn: ({ signal }) =>
      client.contacts.list({ search: value, pageSize: contactsMax }, { signal }),
    enabled: mayRead && !/^[+\d]/.test(value),
    staleTime: 60_000,
  })
  const fault = faultAt(faults, '/to')
  return (
    <div className="field">
      <label htmlFor="to">
        To <span className="required">(required)</span>
      </label>
      <input
        id="to"
        className="input"
        required
        autoFocus
        autoComplete="off"
        list="contacts"
        aria-invalid={fault !== null}
        aria-describedby="to-hint"
        placeholder="+4915112345678"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id="contacts">
        {data?.items.map(({ id, name, address }) => (
          <option key={id} value={address}>
            {name ?? ''}
          </option>
        ))}
      </datalist>
      <p className="hint" id="to-hint">
        A number in international form, or the name of a contact. +10000000001 fails, +10000000004
        replies: see the simulator.
      </p>
      {fault === null ? null : <p className="fault">To {fault}</p>}
    </div>
  )
}
