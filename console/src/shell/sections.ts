import type { CollectionDescription } from '../api/collection.ts'
import { permits } from '../api/session.ts'
import { collectionTitle } from '../collections/nouns.ts'
import { hiddenPaths, isDeclared, productGroups } from '../collections/product.ts'
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

/** Returns the navigation for a key with these scopes. */
export function sectionsFor(
  collections: readonly CollectionDescription[],
  scopes: readonly string[],
): readonly Section[] {
  const open = collections.filter(
    ({ parent, path, scopes: required }) =>
      parent === null && !hiddenPaths.has(path) && permits(scopes, required.list),
  )
  const own = open.filter(isDeclared).map(({ path }) => path)
  const sections = [...productGroups, ['Your collections', own] as const]
    .map(([title, paths]) => ({
      title,
      destinations: paths.flatMap((path) => {
        const collection = open.find((one) => one.path === path)
        return collection === undefined ? [] : [destinationOf(collection)]
      }),
    }))
    .filter(({ destinations }) => destinations.length > 0)
  return [{ title: 'Now', destinations: [overview] }, ...sections]
}

const overview: Destination = {
  title: 'Overview',
  address: '',
  icon: 'overview',
  description: 'What happens now, and what needs attention.',
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
