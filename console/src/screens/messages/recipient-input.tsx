import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { AddressInput, type AddressProps } from './address-input.tsx'
import { withoutPlusText } from '../../collections/form/without-plus.ts'

/** Contacts that are suggested. */
const contactsMax = 20

/** The recipient: a number, or a contact by name. */
export function RecipientInput(props: AddressProps): ReactNode {
  const { value } = props
  const mayRead = usePermission(useCollection('contacts')?.scopes.list)
  const mayReadCarriers = usePermission(useCollection('carriers')?.scopes.list)
  const { data } = useQuery({
    queryKey: ['contact-names', value],
    queryFn: ({ signal }) =>
      client.contacts.list({ search: value, pageSize: contactsMax }, { signal }),
    enabled: mayRead && !/^[+\d]/.test(value),
    staleTime: 60_000,
  })
  return (
    <AddressInput
      {...props}
      name="to"
      label="To"
      required
      placeholder="+4915112345678"
      hint={
        <>
          A number in international form, or the name of a contact.{' '}
          {mayReadCarriers ? (
            <>
              The{' '}
              <Link to="/carriers/carrier_simulator" target="_blank">
                simulator has recipients to test with
              </Link>
              : +10000000001 fails, +10000000004 replies.
            </>
          ) : (
            'At the simulator +10000000001 fails, +10000000004 replies.'
          )}
        </>
      }
      caution={withoutPlusText(value)}
      suggested={data?.items ?? []}
    />
  )
}
