import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { applyOptOuts, senderNames } from '../opt-outs/apply-opt-outs.ts'
import { optOutsQuery } from '../opt-outs/opt-outs-query.ts'

interface Props {
  readonly counterpart: string
  /** The own address; empty for the default sender. */
  readonly address: string
}

/** Whether a counterpart has opted out of this conversation, and the button that changes it. */
export function OptOutState({ counterpart, address }: Props): ReactNode {
  const mayRead = usePermission(useCollection('optOuts')?.scopes.list)
  const { data } = useQuery({ ...optOutsQuery(counterpart), enabled: mayRead })
  if (data === undefined) return null
  const { blocking, others } = applyOptOuts(data.items, address)
  return (
    <div className="row wrap">
      {blocking.length > 0 ? (
        <>
          <Badge state="OPTED_OUT" tone="bad" />
          <span className="muted small">of {senderNames(blocking)}</span>
        </>
      ) : others.length > 0 ? (
        <span className="muted small">
          Opted out of {senderNames(others)}, not of this conversation
        </span>
      ) : null}
      <Change counterpart={counterpart} ids={blocking.map(({ id }) => id)} />
    </div>
  )
}

interface ChangeProps {
  readonly counterpart: string
  /** The opt-outs that block the conversation. */
  readonly ids: readonly string[]
}

function Change({ counterpart, ids }: ChangeProps): ReactNode {
  const scopes = useCollection('optOuts')?.scopes
  const mayCreate = usePermission(scopes?.create)
  const mayDelete = usePermission(scopes?.delete)
  const queries = useQueryClient()
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
      () => Promise.all(ids.map((id) => client.optOuts.delete(id))),
      `Removed the opt-out of ${counterpart}`,
    )
  if (ids.length === 0) {
    return mayCreate ? (
      <ConfirmButton small action="Opt out" icon="optOuts" onConfirm={optOut}>
        Messages to {counterpart} then fail as blocked, from every sender of the account.
      </ConfirmButton>
    ) : null
  }
  return mayDelete ? (
    <ConfirmButton small action="Remove opt-out" icon="check" onConfirm={remove}>
      Do this only with the consent of {counterpart}. Messages to it are sent again.
    </ConfirmButton>
  ) : null
}
