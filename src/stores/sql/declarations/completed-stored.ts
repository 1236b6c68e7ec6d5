import type { Collection } from '../../../core/declaration/collection.ts'
import type { Stored } from '../../../core/ports/store.ts'
import { completed, completedHidden } from '../../complete.ts'
import { revisionOf } from '../../revision.ts'

/** An instance as its declaration has it now: what its row will hold once it is written anew. */
export function completedStored(collection: Collection, stored: Stored): Stored {
  const doc = JSON.stringify(completed(collection, JSON.parse(stored.doc)))
  const hidden =
    stored.hidden === null ? null : completedHidden(collection, JSON.parse(stored.hidden))
  return {
    ...stored,
    doc,
    hidden: hidden === null ? null : JSON.stringify(hidden),
    revision: revisionOf(doc),
  }
}
