import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { faultAt } from '../../collections/field-input.tsx'

interface Props {
  readonly value: string
  readonly faults: ReadonlyMap<string, string>
  readonly onChange: (value: string) => void
}

/** The sender: one of the account's numbers, or another text. */
export function SenderInput({ value, faults, onChange }: Props): ReactNode {
  const mayRead = usePermission(useCollection('numbers')?.scopes.list)
  const { data } = useQuery({
    queryKey: ['numbers'],
    queryFn: ({ signal }) => client.numbers.list({ pageSize: 100 }, { signal }),
    enabled: mayRead,
    staleTime: 60_000,
  })
  const fault = faultAt(faults, '/from')
  return (
    <div className="field">
      <label htmlFor="from">From</label>
      <input
        id="from"
        className="input"
        autoComplete="off"
        list="senders"
        aria-invalid={fault !== null}
        aria-describedby="from-hint"
        placeholder="The default sender"
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <datalist id="senders">
        {data?.items.map(({ id, address }) => (
          <option key={id} value={address} />
        ))}
      </datalist>
      <p className="hint" id="from-hint">
        A number of the account, or 1 to 11 letters and digits.
      </p>
      {fault === null ? null : <p className="fault">From {fault}</p>}
    </div>
  )
}
