import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useCollection } from '../../api/queries.ts'
import { usePermission, useSession } from '../../api/use-session.ts'
import { exactTime, Time } from '../../ui/time.tsx'
import { overlapEnd } from './overlap-end.ts'
import { rotatedAtQuery } from './rotated-at.ts'

/** Says until when the secret before the last rotation signs too; nothing without one. */
export function OldSecret({ webhook }: { webhook: string }): ReactNode {
  const mayReadAudit = usePermission(useCollection('auditEvents')?.scopes.list)
  const { account } = useSession()
  const { data } = useQuery({ ...rotatedAtQuery(account, webhook), enabled: mayReadAudit })
  const end = overlapEnd(data, Date.now())
  if (end === null) return null
  return (
    <p className="panel-body reason">
      The secret was rotated. The old one also signs until {exactTime(end).split(' · ')[0]} (
      <Time value={end} />
      ): change the receiver before.
    </p>
  )
}
