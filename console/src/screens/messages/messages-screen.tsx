import { Link } from '@tanstack/react-router'
import { useMemo, type ReactNode } from 'react'
import { useCollection } from '../../api/queries.ts'
import { usePermission } from '../../api/use-session.ts'
import { CollectionList } from '../../collections/list/list.tsx'
import { listRequest, type ListState } from '../../collections/list/list-state.ts'
import { PageHead } from '../../collections/page-head.tsx'
import type { Rows } from '../../collections/list/use-rows.ts'
import { useLiveRows } from '../../live/use-live-rows.ts'
import { Icon } from '../../ui/icon.tsx'
import { Empty } from '../../ui/notice.tsx'
import { partyColumns } from './parties.ts'

const columns = [
  'counterpart',
  'status.id',
  'body',
  'ownAddress',
  'numberOfParts',
  'creditCost',
  'createdAt',
]

/** The usual questions. */
const views = [
  { title: 'All', query: '' },
  { title: 'Failed', query: '?status.type=FAILED' },
  { title: 'In progress', query: '?status.type=ACCEPTED&status.type=SENT' },
  { title: 'Delivered', query: '?status.type=DELIVERED' },
  { title: 'Scheduled', query: '?status.type=SCHEDULED' },
  { title: 'Received', query: '?type=RECEIVED' },
]

/** All messages: live, filtered by anything, without end. */
export function MessagesScreen(): ReactNode {
  const collection = useCollection('messages')
  const maySend = usePermission(collection?.scopes.create)
  if (collection === null) return null
  const send = maySend ? (
    <Link to="/send" className="button primary">
      <Icon name="send" size={15} />
      Send message
    </Link>
  ) : null
  const empty = (
    <Empty icon="messages" title="No messages yet" action={send}>
      Send the first one: the simulator delivers it without a phone.
    </Empty>
  )
  return (
    <div className="page">
      <PageHead title="Messages">{send}</PageHead>
      <CollectionList
        collection={collection}
        path={['messages']}
        columns={columns}
        computed={partyColumns}
        views={views}
        empty={empty}
        notice={(rows, state, isPaused) => (
          <NewRowsPill rows={rows} state={state} isPaused={isPaused} />
        )}
      />
    </div>
  )
}

interface PillProps {
  readonly rows: Rows
  readonly state: ListState
  readonly isPaused: boolean
}

/** Says that there are new rows. They appear at a press, so that nothing moves while one reads. */
function NewRowsPill({ rows, state, isPaused }: PillProps): ReactNode {
  const request = useMemo(() => listRequest(state), [state])
  const { count, show } = useLiveRows({ rows: rows.rows, request, isPaused })
  return (
    <div className="pill-place" role="status">
      {count === 0 ? null : (
        <button type="button" className="pill" onClick={show}>
          <Icon name="up" size={13} />
          {count} new
        </button>
      )}
    </div>
  )
}
