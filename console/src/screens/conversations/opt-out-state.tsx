import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { optOutsQuery } from './conversation.ts'

/** Whether a counterpart has opted out, and the button that changes it. */
export function OptOutState({ counterpart }: { counterpart: string }): ReactNode {
  const scopes = useCollection('optOuts')?.scopes
  const mayRead = usePermission(scopes?.list)
  const mayCreate = usePermission(scopes?.create)
  const mayDelete = usePermission(scopes?.delete)
  const queries = useQueryClient()
  const { data } = useQuery({ ...optOutsQuery(counterpart), enabled: mayRead })
  if (data === undefined) return null
  const attempt = async (change: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await change()
      showToast({ text: done })
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    }
    await queries.invalidateQueries(optOutsQuery(counterpart))
  }
  const optOut = (): Promise<void> =>
    attempt(() => client.optOuts.create({ address: counterpart }), `Opted out ${counterpart}`)
  const remove = (): Promise<void> =>
    attempt(
      () => Promise.all(data.items.map(({ id }) => client.optOuts.delete(id))),
      `Removed the opt-out of ${counterpart}`,
    )
  if (data.items.length === 0) {
    return mayCreate ? (
      <ConfirmButton small action="Opt out" icon="optOuts" onConfirm={optOut}>
        Messages to {counterpart} then fail as BLOCKED, whoever of the account sends them.
      </ConfirmButton>
    ) : null
  }
  const senders = data.items.map(({ sender }) => sender ?? 'all senders')
  return (
    <div className="row wrap">
      <Badge state="OPTED_OUT" tone="bad" />
      <span className="muted small">of {senders.join(', ')}</span>
      {mayDelete ? (
        <ConfirmButton small action="Remove opt-out" icon="check" onConfirm={remove}>
          Do this only with the consent of {counterpart}. Messages to it are sent again.
        </ConfirmButton>
      ) : null}
    </div>
  )
}
