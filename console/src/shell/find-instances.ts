import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { collectionAt } from '../api/client.ts'
import type { CollectionDescription } from '../api/collection.ts'
import { useCollections } from '../api/queries.ts'
import { permits } from '../api/session.ts'
import { useSession } from '../api/use-session.ts'
import { useSettled } from '../ui/use-settled.ts'

/** The pause in typing after which the service is asked. */
const pauseMs = 250
/** The identifiers that a client may choose; shorter ones are mostly words that are being typed. */
const identifierForm = /^[\w.~-]{2,64}$/

/** An instance that has an identifier, or a list of those that name it. */
export interface FoundInstance {
  /** The address below the console. */
  readonly address: string
  readonly collection: CollectionDescription
}

/** Returns true if a text can be an identifier. */
export function isIdentifier(text: string): boolean {
  return identifierForm.test(text)
}

interface Instances {
  readonly found: readonly FoundInstance[]
  /** Finds them now, without the pause in typing. */
  readonly find: () => Promise<readonly FoundInstance[]>
}

/** Finds the instances with an identifier, in every collection that the key may read. */
export function useInstances(text: string): Instances {
  const id = useSettled(text, pauseMs)
  const { scopes } = useSession()
  const queries = useQueryClient()
  const readable = useCollections().filter(
    ({ parent, filters, scopes: required }) =>
      parent === null &&
      filters.has('id') &&
      required.get !== undefined &&
      permits(scopes, required.list),
  )
  const query = queryOptions({
    queryKey: ['instances', text],
    queryFn: ({ signal }) => findInstances(readable, text, signal),
  })
  const { data = [] } = useQuery({ ...query, enabled: id === text && isIdentifier(text) })
  return { found: data, find: () => queries.fetchQuery(query).catch(() => []) }
}

async function findInstances(
  collections: readonly CollectionDescription[],
  id: string,
  signal: AbortSignal,
): Promise<readonly FoundInstance[]> {
  const found = await Promise.all(
    collections.map(async (collection) => {
      const { path } = collection
      const request = { where: { id }, fields: ['id'], pageSize: 1 }
      const { items } = await collectionAt([path]).list(request, { signal })
      return items.map((): FoundInstance => ({ address: `${path}/${id}`, collection }))
    }),
  )
  return found.flat()
}
