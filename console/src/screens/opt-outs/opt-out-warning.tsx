import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Icon } from '../../ui/icon.tsx'
import { applyOptOuts, senderNames } from './apply-opt-outs.ts'
import { optOutsQuery } from './opt-outs-query.ts'

interface Props {
  readonly recipient: string
  /** The address that sends; empty if it is not known. */
  readonly sender: string
}

/** Warns before a message is sent that an opt-out blocks. */
export function OptOutWarning({ recipient, sender }: Props): ReactNode {
  const mayRead = usePermission(useCollection('optOuts')?.scopes.list)
  const { data } = useQuery({ ...optOutsQuery(recipient), enabled: mayRead && recipient !== '' })
  const [first, ...others] = applyOptOuts(data?.items ?? [], sender).blocking
  if (first === undefined) return null
  return (
    <div className="notice warn" role="status">
      <Icon name="warning" />
      <p>
        {recipient} has opted out of {senderNames([first, ...others])}. The message will fail as
        blocked.{' '}
        <Link to="/$" params={{ _splat: `optOuts/${first.id}` }}>
          Show the opt-out
        </Link>
      </p>
    </div>
  )
}
