import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Panel } from '../../ui/panel.tsx'
import { backlogText, isOld, waitMs } from './backlog.ts'
import { carrierStatesQuery } from './states.ts'

/** The messages that wait for each carrier, the longest wait first. */
export function CarrierBacklogs(): ReactNode {
  const { data, dataUpdatedAt } = useQuery(carrierStatesQuery)
  if (data === undefined) return null
  const waiting = data.items
    .filter(({ waitingMessages }) => (waitingMessages ?? 0) > 0)
    .toSorted((one, other) => waitMs(other, dataUpdatedAt) - waitMs(one, dataUpdatedAt))
  return (
    <Panel title="Backlog by carrier">
      {waiting.length === 0 ? (
        <p className="panel-body muted">No message waits for a carrier.</p>
      ) : null}
      <ul className="lines">
        {waiting.map(({ id, name, ...backlog }) => (
          <li key={id} className="row wrap">
            <Link className="grow" to={`/carriers/${id}`}>
              {name ?? id}
            </Link>
            <Link to="/messages" search={{ 'status.type': 'ACCEPTED', carrier: id }}>
              {backlogText(backlog, dataUpdatedAt)}
            </Link>
            {isOld(backlog, dataUpdatedAt) ? <Badge state="LATE" /> : null}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
