import type { ReactNode } from 'react'
import type { CollectionDescription } from '../api/collection.ts'
import { useCollections } from '../api/queries.ts'
import { permits } from '../api/session.ts'
import { viewAddress } from '../api/viewed-account.ts'
import { useSession } from '../api/use-session.ts'
import { collectionTitle } from '../collections/nouns.ts'
import { Panel } from '../ui/panel.tsx'

/** Collections whose instances have no account. */
const shared = new Set(['accounts', 'carriers', 'prices', 'maintenanceWindows', 'sessions'])

/** Returns true if the instances of a collection belong to no account. */
export function isShared({ path }: CollectionDescription): boolean {
  return shared.has(path)
}

/** What an account owns, for administrators: each link is a list of this account alone. */
export function AccountLinks({ account }: { account: string }): ReactNode {
  const { scopes } = useSession()
  const owned = useCollections().filter(
    (one) => one.parent === null && !isShared(one) && permits(scopes, one.scopes.list),
  )
  return (
    <Panel title="In this account">
      <nav aria-label="In this account" className="panel-body row wrap">
        {owned.map((one) => (
          <a key={one.path} href={viewAddress(one.path, account)} className="button small">
            {collectionTitle(one)}
          </a>
        ))}
      </nav>
    </Panel>
  )
}
