import type { ReactNode } from 'react'
import { useCollection } from '../../api/queries.ts'
import { ListScreen } from '../list-screen.tsx'

/** How often the states are read while the list is shown. */
const pollMs = 5000

/** All webhooks with state and lag. */
export function WebhooksScreen(): ReactNode {
  const collection = useCollection('webhooks')
  if (collection === null) return null
  return <ListScreen collection={collection} path={['webhooks']} pollMs={pollMs} />
}
