import { qualifiedName } from '../../core/declaration/collection.ts'
import type { Version, VersionChange } from '../../core/declaration/version.ts'
import { type DescribedApi, renameCollection } from './rename-collection.ts'
import { documentationBefore } from './documentation-before.ts'
import { fieldsBefore } from './fields-before.ts'

/**
 * Describes each version by reverting the changes of all later ones from the newest. The versions
 * are in order, the oldest first.
 */
export function versionsDescribed(
  newest: DescribedApi,
  declared: readonly Version[],
): ReadonlyMap<string, DescribedApi> {
  const result = new Map<string, DescribedApi>()
  let described = newest
  for (const version of declared.toReversed()) {
    const { name, deprecatedAt, sunsetAt } = version
    const successor = declared.at(-1)?.name ?? name
    const ending = deprecatedAt === undefined ? null : { deprecatedAt, sunsetAt, successor }
    result.set(name, {
      ...described,
      options: { ...described.options, version: name, ending },
    })
    described = version.changes.toReversed().reduce(beforeChange, described)
  }
  return result
}

/** Takes a change back: what a version describes, from what the version after it does. */
function beforeChange(described: DescribedApi, change: VersionChange): DescribedApi {
  switch (change.kind) {
    case 'collectionRenamed':
      return renameCollection(described, change.to, change.from)
    case 'collectionAdded':
      return {
        ...described,
        collections: described.collections.filter(
          (each) => !isWithin(qualifiedName(each), change.collection),
        ),
      }
    default: {
      const after = described.collections.find((each) => qualifiedName(each) === change.collection)
      if (after === undefined) return described
      const before = fieldsBefore(after, change)
      return {
        collections: described.collections.map((each) => (each === after ? before : each)),
        options: documentationBefore(described.options, change, before),
      }
    }
  }
}

function isWithin(name: string, collection: string): boolean {
  return name === collection || name.startsWith(`${collection}/`)
}
