import type { JsonObject } from '../core/json.ts'
import type { ServedVersion } from './served-version.ts'

/** A notification record, as JSON text, in the words of a version: it has the fields of a message. */
export function recordDown(version: ServedVersion, record: string): string {
  const translation = version.translation('messages')
  if (translation === null) return record
  const parsed: JsonObject = JSON.parse(record)
  return JSON.stringify(translation.instanceDown(parsed))
}
