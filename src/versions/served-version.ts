import type { JsonObject } from '../core/json.ts'
import { isAlert } from '../core/ports/notification-log.ts'
import type { CollectionTranslation } from './collection-translation.ts'

/** A version, ready to be served. */
export interface ServedVersion {
  readonly name: string
  /** Header fields of every answer in it (RFC 9745, RFC 8594). */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Returns the name of a collection in the newest version; null if this version has no such
   * collection.
   */
  collectionUp(name: string): string | null
  /**
   * Returns the qualified name in this version of a collection of the newest one; null if there is
   * none.
   */
  collectionDown(qualified: string): string | null
  /** Returns the name that a collection has in this version, by its name in an earlier version. */
  movedTo(name: string): string | null
  /**
   * Returns the differences from the newest version of a collection, by its newest qualified name;
   * null if none.
   */
  translation(qualified: string): CollectionTranslation | null
}

/**
 * Translates a notification record, as JSON text, to a version: it has the fields of a message. An
 * alert has none of them and is the same in every version.
 */
export function recordDown(version: ServedVersion, record: string): string {
  const translation = version.translation('messages')
  if (translation === null) return record
  const parsed: JsonObject = JSON.parse(record)
  if (isAlert(parsed['type'])) return record
  return JSON.stringify(translation.instanceDown(parsed))
}
