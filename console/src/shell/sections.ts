import type { CollectionDescription } from '../api/collection.ts'
import { permits } from '../api/session.ts'
import { collectionTitle } from '../collections/nouns.ts'
import { isIcon, type IconName } from '../ui/icon.tsx'

/** An entry of the navigation. */
export interface Destination {
  readonly title: string
  /** The address below the console. */
  readonly address: string
  readonly icon: IconName
  readonly description: string
}

/** A group of the navigation. */
export interface Section {
  readonly title: string
  readonly destinations: readonly Destination[]
}

/** The collections of the product, by group. Others are the operator's. */
const groups: readonly (readonly [title: string, paths: readonly string[]])[] = [
  ['Messaging', ['messages', 'conversations', 'broadcasts', 'contacts', 'groups', 'optOuts']],
  ['Delivery', ['webhooks', 'carriers', 'numbers']],
  ['Billing', ['credits', 'prices']],
  ['Administration', ['keys', 'accounts', 'auditEvents', 'maintenanceWindows']],
]

/** Collections that other screens show. */
const hidden = new Set(['sessions', 'statistics'])

/** Returns the navigation for a key with these scopes. */
export function sectionsFor(
  collections: readonly CollectionDescription[],
  scopes: readonly string[],
): readonly Section[] {
  const open = collections.filter(
    ({ parent, path, scopes: required }) =>
      parent === null && !hidden.has(path) && permits(scopes, required.list),
  )
  const grouped = new Set(groups.flatMap(([, paths]) => paths))
  const own = open.filter(({ path }) => !grouped.has(path)).map(({ path }) => path)
  return [...groups, ['Your collections', own] as const]
    .map(([title, paths]) => ({
      title,
      destinations: paths.flatMap((path) => {
        const collection = open.find((one) => one.path === path)
        return collection === undefined ? [] : [destinationOf(collection)]
      }),
    }))
    .filter(({ destinations }) => destinations.length > 0)
}

function destinationOf(collection: CollectionDescription): Destination {
  const { path, name, description } = collection
  return {
    title: collectionTitle(collection),
    address: path,
    icon: isIcon(name) ? name : 'collection',
    description,
  }
}
