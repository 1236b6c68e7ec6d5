import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Facts } from '../../collections/facts.tsx'
import { PageHead } from '../../collections/page-head.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmButton } from '../../ui/confirm.tsx'
import { showToast } from '../../ui/toast.tsx'
import { InstanceTabs } from '../instance-tabs.tsx'
import { ShownInstance } from '../shown-instance.tsx'
import { Progress } from './progress.tsx'

/** How often the progress is read while it is shown. */
const pollMs = 2000

type Broadcast = Awaited<ReturnType<typeof client.broadcasts.get>>

function broadcastQuery(id: string) {
  return queryOptions({
    queryKey: ['instance', 'broadcasts', id],
    queryFn: ({ signal }): Promise<Broadcast> => client.broadcasts.get(id, { signal }),
    structuralSharing: false,
    refetchInterval: pollMs,
  })
}

/** One broadcast: its progress, and how to stop it. */
export function BroadcastScreen(): ReactNode {
  const { id = '' }: { readonly id?: string } = useParams({ strict: false })
  const collection = useCollection('broadcasts')
  const query = useQuery(broadcastQuery(id))
  return (
    <ShownInstance collection={collection} query={query}>
      {(broadcast, collection) => <Shown broadcast={broadcast} collection={collection} />}
    </ShownInstance>
  )
}

interface Props {
  readonly broadcast: Broadcast
  readonly collection: CollectionDescription
}

function Shown({ broadcast, collection }: Props): ReactNode {
  return (
    <div className="page">
      <PageHead
        name={broadcast.name ?? broadcast.id}
        title={
          <span className="row wrap">
            {broadcast.name ?? broadcast.id}
            <Badge state={broadcast.state} />
          </span>
        }
        note={broadcast.stateReason}
        trail={[['Broadcasts', 'broadcasts']]}
      >
        <Actions broadcast={broadcast} collection={collection} />
      </PageHead>
      <InstanceTabs parent={collection} path={['broadcasts']} id={broadcast.id} />
      <div className="scroll stack">
        <Progress broadcast={broadcast} />
        <section className="panel panel-body">
          <blockquote className="bubble sent">{broadcast.body}</blockquote>
        </section>
        <section className="panel panel-body">
          <Facts
            fields={collection.fields}
            instance={{ ...broadcast }}
            without={['body', 'messageCounts', 'recipients', 'estimate', 'state', 'name']}
          />
        </section>
      </div>
    </div>
  )
}

function Actions({ broadcast, collection }: Props): ReactNode {
  const queries = useQueryClient()
  const mayWrite = usePermission(collection.scopes.patch)
  const { id, state } = broadcast
  if (!mayWrite) return null
  const set = async (next: 'RUNNING' | 'PAUSED' | 'CANCELLED'): Promise<void> => {
    try {
      await client.broadcasts.patch(id, { state: next })
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    }
    await queries.invalidateQueries(broadcastQuery(id))
  }
  const isOpen = state === 'RUNNING' || state === 'SCHEDULED' || state === 'PAUSED'
  return (
    <>
      {isOpen ? (
        <ConfirmButton action="Cancel broadcast" icon="close" onConfirm={() => set('CANCELLED')}>
          No further message is created. Messages that were created are sent.
        </ConfirmButton>
      ) : null}
      {state === 'RUNNING' ? (
        <Button icon="pause" onPress={() => void set('PAUSED')}>
          Pause
        </Button>
      ) : null}
      {state === 'PAUSED' ? (
        <Button look="primary" icon="play" onPress={() => void set('RUNNING')}>
          Resume
        </Button>
      ) : null}
    </>
  )
}
