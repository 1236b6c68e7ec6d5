import { qualifiedName } from '../../core/declaration/collection.ts'
import type { VersionChange } from '../../core/declaration/version.ts'
import { renameCollection } from './rename-collection.ts'
import { fieldsBefore } from './fields-before.ts'
import { documentationBefore } from './documentation-before.ts'
import type { DescribedApi } from './described.ts'

/** Takes a change back: what a version describes, from what the version after it does. */
export function beforeChange(described: DescribedApi, change: VersionChange): DescribedApi {
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
