import type { AccountId } from '../core/account.ts'
import type { LogEntry, LogFilter, LogReader, Position } from '../core/notification-log.ts'
import type { OpenBatch } from './progress.ts'

/** The most octets of a body, one record excepted: receivers limit what they take. */
export const bodyBytesMax = 5 * 1024 * 1024

/** Records can be long: they are read in slices, until the body is full. */
const sliceMax = 100

/** A reader's place in the log. */
export interface LogPlace {
  readonly account: AccountId
  readonly after: Position
  readonly filter: LogFilter
}

/** What a next batch would hold. */
export interface Found {
  readonly entries: readonly LogEntry[]
  /** No more would fit into it. */
  readonly isFull: boolean
}

/** Reads up to `count` entries, as far as they fit into one body. */
export async function findBatch(
  log: Pick<LogReader, 'read'>,
  place: LogPlace,
  count: number,
): Promise<Found> {
  const entries: LogEntry[] = []
  let bodyBytes = '[]'.length

  while (entries.length < count) {
    const asked = Math.min(count - entries.length, sliceMax)
    const after = entries.at(-1)?.position ?? place.after
    const slice = await log.read(place.account, after, place.filter, asked)
    for (const entry of slice) {
      bodyBytes += Buffer.byteLength(entry.record) + ','.length
      if (bodyBytes > bodyBytesMax && entries.length > 0) return { entries, isFull: true }
      entries.push(entry)
    }
    if (slice.length < asked) return { entries, isFull: false }
  }
  return { entries, isFull: true }
}

/** Reads an open batch again; null where the log does not hold all of it any more. */
export async function rereadBatch(
  log: Pick<LogReader, 'read'>,
  place: LogPlace,
  batch: OpenBatch,
): Promise<readonly LogEntry[] | null> {
  const { entries } = await findBatch(log, place, batch.count)
  const isWhole = entries.length === batch.count && entries.at(-1)?.position === batch.end
  return isWhole ? entries : null
}

/** The body of a request: records are JSON texts, and so is their array. */
export function bodyOf(records: readonly string[]): Uint8Array {
  return Buffer.from(`[${records.join(',')}]`)
}
