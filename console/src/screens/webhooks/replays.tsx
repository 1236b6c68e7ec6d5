import type { Replay } from '@nuncio/client'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import { explain } from '../../api/problem.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Time } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { replaysQuery } from './webhook.ts'

const numbers = new Intl.NumberFormat()

/** The last replays of a webhook with their progress. */
export function Replays({ webhook }: { webhook: string }): ReactNode {
  const { data } = useQuery(replaysQuery(webhook))
  if (data === undefined || data.items.length === 0) return null
  return (
    <Panel title="Replays" aside={<Link to={`/webhooks/${webhook}/replays`}>All replays</Link>}>
      <ul className="lines">
        {data.items.map((replay) => (
          <li key={replay.id} className="row">
            <Badge state={replay.state} />
            <Link className="grow" to={`/webhooks/${webhook}/replays/${replay.id}`}>
              {numbers.format(replay.sent)} sent
              {replay.setAside > 0 ? `, ${numbers.format(replay.setAside)} refused` : ''}
            </Link>
            {isRunning(replay) ? <CancelReplay webhook={webhook} id={replay.id} /> : null}
            <Time value={replay.createdAt} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function isRunning({ state }: Replay): boolean {
  return state === 'WAITING' || state === 'RUNNING' || state === 'RETRYING'
}

function CancelReplay({ webhook, id }: { webhook: string; id: string }): ReactNode {
  const queries = useQueryClient()
  const mayCancel = usePermission(useCollection('webhooks/replays')?.scopes.patch)
  if (!mayCancel) return null
  const cancel = async (): Promise<void> => {
    try {
      await client.webhooks.at(webhook).replays.patch(id, { state: 'CANCELLED' })
    } catch (error) {
      showToast({ bad: true, text: explain(error).detail })
    }
    await queries.invalidateQueries(replaysQuery(webhook))
  }
  return (
    <Button small onPress={() => void cancel()}>
      Stop
    </Button>
  )
}
