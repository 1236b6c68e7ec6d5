import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { client } from '../../api/client.ts'
import type { CollectionDescription } from '../../api/collection.ts'
import { useCollection } from '../../api/queries.ts'
import { usePermission, useSession } from '../../api/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { shortId } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Time } from '../../ui/time.tsx'
import { fieldTitle } from '../columns.ts'
import { collectionNoun } from '../nouns.ts'
import { Value } from '../value.tsx'
import type { Conflict, ForeignChange } from './edit-conflict.ts'

interface Props {
  readonly conflict: Conflict
  readonly collection: CollectionDescription
  /** The path of the instance. */
  readonly path: readonly string[]
  readonly onReload: () => void
}

/** Says who changed what meanwhile. The form keeps what was typed until it is reloaded. */
export function ConflictNotice({ conflict, collection, path, onReload }: Props): ReactNode {
  const { changedAt, changes } = conflict
  const who = useLastActor(path, conflict.readAt)
  const isOverwritten = changes.some(({ isMineToo }) => isMineToo)
  return (
    <div className="notice warn" role="alert">
      <Icon name="warning" />
      <div className="stack">
        <div>
          <strong>
            {who ?? 'Somebody else'} changed this {collectionNoun(collection, 1)}
          </strong>{' '}
          <Time value={changedAt} />
          <p>Nothing of yours is saved yet. The form has their state with your changes.</p>
        </div>
        {changes.length === 0 ? (
          <p>They changed no field of this form.</p>
        ) : (
          <ul className="stack tight">
            {changes.map((change) => (
              <Change key={change.field.name} {...change} />
            ))}
          </ul>
        )}
        <div className="row wrap">
          <Button small onPress={onReload}>
            Reload without my changes
          </Button>
          <Button small look="primary" type="submit">
            {isOverwritten ? 'Overwrite with my changes' : 'Apply my changes'}
          </Button>
        </div>
      </div>
    </div>
  )
}

function Change({ field, before, after, isMineToo }: ForeignChange): ReactNode {
  return (
    <li>
      <strong>{fieldTitle(field.name)}</strong>:{' '}
      <Value field={field} value={before} isLink={false} /> →{' '}
      <Value field={field} value={after} isLink={false} />
      {isMineToo ? ' (you changed it too)' : ''}
    </li>
  )
}

/** Returns who changed an instance last, as the audit names them; null if it does not. */
function useLastActor(path: readonly string[], since: string): string | null {
  const { account } = useSession()
  const mayRead = usePermission(useCollection('auditEvents')?.scopes.list)
  const resource = `/v1/${path.map(encodeURIComponent).join('/')}`
  const { data } = useQuery({
    queryKey: ['last-actor', resource, since],
    queryFn: ({ signal }) =>
      client.auditEvents.list(
        // Other accounts can have an instance of the same name.
        { where: { resource, date: { gte: since }, account: [account, null] }, pageSize: 1 },
        { signal },
      ),
    enabled: mayRead,
    gcTime: 0,
  })
  const actor = data?.items[0]?.actor
  if (actor === null || actor === undefined) return null
  return (
    actor.person ??
    (actor.key === null || actor.key === '' ? null : `The key ${shortId(actor.key)}`)
  )
}
