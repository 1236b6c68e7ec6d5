import type { CollectionTranslation } from './collection-translation.ts'

/** A version, ready to be served. */
export interface ServedVersion {
  readonly name: string
  /** Header fields of every answer in it (RFC 9745, RFC 8594). */
  readonly headers: Readonly<Record<string, string>>
  /** The name of a collection in the newest version; null where this version has no such collection. */
  collectionUp(name: string): string | null
  /** The qualified name that a collection of the newest version has in this one; null: it has none. */
  collectionDown(qualified: string): string | null
  /** The name that a collection has in this version, where an earlier version had it under this one. */
  movedTo(name: string): string | null
  /**
   * Returns the differences from the newest version of a collection, by its newest qualified name;
   * null if none.
   */
  translation(qualified: string): CollectionTranslation | null
}
