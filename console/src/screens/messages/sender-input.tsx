import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { useAllAccounts, usePermission, useSession } from '../../api/use-session.ts'
import { AddressInput, type AddressProps } from './address-input.tsx'

/** The sender: one of the account's numbers, or another text. */
export function SenderInput(props: AddressProps): ReactNode {
  const mayRead = usePermission(useCollection('numbers')?.scopes.list)
  const isOfAll = useAllAccounts()
  const { account } = useSession()
  const { data } = useQuery({
    queryKey: ['numbers'],
    // The numbers of other accounts are no senders of this one.
    queryFn: ({ signal }) =>
      client.numbers.list(
        { pageSize: 100, ...(isOfAll ? { where: { account } } : {}) },
        { signal },
      ),
    enabled: mayRead,
    staleTime: 60_000,
  })
  const suggested = data?.items.map(({ id, address }) => ({ id, address })) ?? []
  return (
    <AddressInput
      {...props}
      name="from"
      label="From"
      placeholder="The default sender"
      hint="A number of the account, or 1 to 11 letters and digits."
      suggested={suggested}
    />
  )
}
