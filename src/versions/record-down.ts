import type { JsonObject } from '../core/json.ts'
import { isAlert } from '../core/ports/notification-log.ts'
import type { ServedVersion } from './served-version.ts'

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
